import { isOutOfFiles } from '#server/is-out-of-files.ts';
import { asPostgresError, httpStatusOfSqlState } from './sqlstate.ts';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** PostgreSQL did not respond for as long as a caller waits. */
export class DatabaseSilent extends Error {
  override name = 'DatabaseSilent';
}

/** Whether something failed because the database could not be reached, was stopping, full, or too slow to answer. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const said = asPostgresError(error);
  if (said !== null) return said.code.startsWith('57P') || [503, 504].includes(httpStatusOfSqlState(said.code));
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseSilent) return true;
  // There was no socket for one more connection.
  if (isOutOfFiles(error)) return true;
  if ('code' in error && typeof error.code === 'string') return SOCKET_CODES.has(error.code);
  // The driver's own failures carry nothing but words: "Connection terminated …", "timeout exceeded when trying to connect", "timeout expired".
  return /^(connection terminated|timeout (exceeded|expired)|client has encountered a connection error|client was closed)/i.test(
    error.message,
  );
}
