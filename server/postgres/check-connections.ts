import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { Database } from './database.ts';
import { asPostgresError, QUERY_CANCELED } from './sqlstate.ts';

/** A machine under load at startup may exceed a visitor's timeout once or twice. */
const MOST_TRIES = 10;

/** For the operator. */
export const SETTINGS_NOT_HEEDED =
  'PostgreSQL does not heed the settings that connections are opened with. DATABASE_URL must lead to PostgreSQL itself and to no pooler, and must name no "options" and no time limits of its own. Where DATABASE_URL leads to a pooler, DATABASE_DIRECT_URL must lead to PostgreSQL itself.';

/** What a session was opened with. */
interface SessionSettings {
  readonly role: string;
  readonly isLimited: boolean;
}

const READ_SESSION_SETTINGS = {
  text: `select current_user as role, current_setting('statement_timeout') <> '0' as "isLimited"`,
};

/** Whether a session has the role and some statement timeout. */
function isAsOpened(settings: SessionSettings | undefined, role: 'anon' | 'service_role'): boolean {
  return settings?.role === role && settings.isLimited;
}

/**
 * Verifies that connections have the role and the statement timeout they were opened with. Both are startup parameters,
 * which a pooler or an operator's `options` in DATABASE_URL can drop; a visitor's connection would then run as the
 * owner of all tables.
 *
 * @throws OperatorError
 */
export async function checkConnections(database: Pick<Database, 'readAsVisitor' | 'asService'>): Promise<void> {
  for (const [role, { rows }] of [
    ['anon', await patiently(() => database.readAsVisitor<SessionSettings>(READ_SESSION_SETTINGS))],
    ['service_role', await database.asService<SessionSettings>(READ_SESSION_SETTINGS)],
  ] as const) {
    if (!isAsOpened(rows[0], role)) throw new OperatorError(SETTINGS_NOT_HEEDED);
  }
}

/**
 * Logs a warning where PostgreSQL allows fewer connections than this server may open, which would show only under load.
 * Other servers on the same database are not known here.
 *
 * @param most - What all processes of this server may open at the same time, while one of them is replaced too.
 */
export async function warnOfFewConnections(
  database: Pick<Database, 'asOwner'>,
  { most, log }: { readonly most: number; readonly log: ServiceLog },
): Promise<void> {
  // `reserved_connections` exists since PostgreSQL 16.
  const { rows } = await database.asOwner<{ allowed: number }>({
    text: `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
             - coalesce(current_setting('reserved_connections', true)::int, 0) as allowed`,
  });
  const allowed = rows[0]?.allowed ?? most;
  if (allowed >= most) return;
  log.warn(
    { allowed, most },
    'PostgreSQL allows fewer connections than this server may open. Raise max_connections, or lower WEB_PROCESSES.',
  );
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
