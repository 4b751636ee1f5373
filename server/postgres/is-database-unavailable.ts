import { isOutOfFiles } from '#server/is-out-of-files.ts';
import { NoConnectionFree } from './call-pool.ts';
import { NotPrimary } from './primary-client.ts';
import { asPostgresError, httpStatusOfSqlState, QUERY_CANCELED } from './sqlstate.ts';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** PostgreSQL did not respond within the time that a caller waits. */
export class DatabaseSilent extends Error {
  override name = 'DatabaseSilent';
}

/** Whether a statement ran into its timeout. Its changes were rolled back. */
export function isStatementTimedOut(error: unknown): boolean {
  return asPostgresError(error)?.code === QUERY_CANCELED;
}

/** Whether a call failed because the database was unreachable, stopping, full, or too slow. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const said = asPostgresError(error);
  if (said !== null) {
    // The data service responds to a timeout with 500, as PostgREST does. Everywhere else the client may retry.
    if (isStatementTimedOut(error)) return true;
    return said.code.startsWith('57P') || [503, 504].includes(httpStatusOfSqlState(said.code));
  }
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseSilent || error instanceof NoConnectionFree || error instanceof NotPrimary) return true;
  // No file descriptor was left for another connection.
  if (isOutOfFiles(error)) return true;
  if ('code' in error && typeof error.code === 'string') return SOCKET_CODES.has(error.code);
  // The driver's own errors have only a message: "Connection terminated …", "timeout exceeded when trying to connect",
  // "timeout expired".
  return /^(connection terminated|timeout (exceeded|expired)|client has encountered a connection error|client was closed)/i.test(
    error.message,
  );
}
