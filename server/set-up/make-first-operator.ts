import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { findUserByEmail } from '#server/auth/accounts/user.ts';
import { insertAccount } from '#server/auth/admin/admin-queries.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/postgres/database.ts';
import { forgetFirstOperator, readFirstOperator } from '#server/settings/stored-settings.ts';

/**
 * Makes the account of the operator who was named on the set-up page, with the role. A start that was killed at any
 * moment is made up for by the next: the name goes once the account is there, and the first operator is made once. An
 * account that was there keeps its password. With another database than the folder's, the name and the hash just go.
 */
export async function makeFirstOperator({
  config,
  database,
  log,
}: {
  readonly config: Pick<Config, 'production' | 'database' | 'dataDirectory'>;
  readonly database: Pick<Database, 'transactAsService'>;
  readonly log: Pick<Logger, 'warn'>;
}): Promise<void> {
  if (!config.production) return;
  const named = readFirstOperator(config.dataDirectory);
  if (named === undefined) return;
  if (config.database.kind !== 'embedded') return forgetFirstOperator(config.dataDirectory);
  await database.transactAsService(async (transaction) => {
    const { rows } = await transaction.query<{ readonly count: number }>({
      name: 'count_operators',
      text: 'select jsonb_array_length(public.list_operators()) as count',
    });
    if (rows[0]?.count !== 0) return;
    const known = await findUserByEmail(transaction, named.email);
    const id = known?.id ?? randomUUID();
    if (known === undefined) {
      await insertAccount(transaction, {
        id,
        email: named.email,
        claimedEmail: null,
        phone: null,
        passwordHash: named.passwordHash,
        emailConfirmedAt: new Date(),
        phoneConfirmedAt: null,
        appMetadata: { provider: 'email', providers: ['email'] },
        userMetadata: { email_verified: true },
        bannedUntil: null,
      });
    }
    if (known !== undefined) {
      log.warn({ account: id }, 'The account named on the set-up page was there before. It keeps its password.');
    }
    await transaction.query({ name: 'add_first_operator', text: 'select public.add_operator($1)', values: [id] });
  });
  await forgetFirstOperator(config.dataDirectory);
}
