import { OperatorError } from '#server/operator-error.ts';
import type { Database } from './database.ts';
import { asPostgresError, QUERY_CANCELED } from './sqlstate.ts';

/** A machine under load at startup may exceed a visitor's timeout once or twice. */
const MOST_TRIES = 10;

/** For the operator. */
export const SETTINGS_NOT_HEEDED =
  'PostgreSQL does not heed the settings that connections are opened with. DATABASE_URL must lead to PostgreSQL itself and to no pooler, and must name no "options" and no time limits of its own. Where DATABASE_URL leads to a pooler, DATABASE_DIRECT_URL must lead to PostgreSQL itself.';

/**
 * Verifies that connections have the role and the statement timeout they were opened with. Both are startup parameters,
 * which a pooler or an operator's `options` in DATABASE_URL can drop; a visitor's connection would then run as the
 * owner of all tables.
 *
 * @throws OperatorError
 */
export async function checkConnections(database: Pick<Database, 'readAsVisitor' | 'asService'>): Promise<void> {
  const asked = { text: `select current_user as role, current_setting('statement_timeout') <> '0' as "isLimited"` };
  for (const [role, { rows }] of [
    ['anon', await patiently(() => database.readAsVisitor<{ role: string; isLimited: boolean }>(asked))],
    ['service_role', await database.asService<{ role: string; isLimited: boolean }>(asked)],
  ] as const) {
    if (rows[0]?.role === role && rows[0].isLimited) continue;
    throw new OperatorError(SETTINGS_NOT_HEEDED);
  }
}

async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries === MOST_TRIES || asPostgresError(error)?.code !== QUERY_CANCELED) throw error;
    }
  }
}
