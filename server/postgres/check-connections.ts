import { OperatorError } from '#server/operator-error.ts';
import type { Database } from './database.ts';
import { asPostgresError, QUERY_CANCELED } from './sqlstate.ts';

/** A machine that is busy with starting may be too slow for a visitor's time limit, once or twice. */
const MOST_TRIES = 10;

/**
 * Makes sure that a connection is what it was opened to be: a role, and a time limit. Both are said when it opens, and a
 * pooler in between, or `options` of the operator's own in DATABASE_URL, can swallow them: then a visitor's connection
 * would be that of the account that owns everything.
 * @throws OperatorError
 */
export async function checkConnections(database: Pick<Database, 'readAsVisitor' | 'asService'>): Promise<void> {
  const asked = { text: `select current_user as role, current_setting('statement_timeout') <> '0' as "isLimited"` };
  for (const [role, { rows }] of [
    ['anon', await patiently(() => database.readAsVisitor<{ role: string; isLimited: boolean }>(asked))],
    ['service_role', await database.asService<{ role: string; isLimited: boolean }>(asked)],
  ] as const) {
    if (rows[0]?.role === role && rows[0].isLimited) continue;
    throw new OperatorError(
      'PostgreSQL does not heed the settings that connections are opened with. DATABASE_URL must lead to PostgreSQL itself and to no pooler, and must name no "options" and no time limits of its own.',
    );
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
