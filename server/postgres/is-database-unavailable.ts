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

/** Whether something failed because the database could not be reached, was stopping, full, or too slow to answer. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const said = asPostgresError(error);
  if (said !== null) return said.code.startsWith('57P') || [503, 504].includes(httpStatusOfSqlState(said.code));
  if (!(error instanceof Error)) return false;
  // There was no socket for one more connection.
  if (isOutOfFiles(error)) return true;
  if ('code' in error && typeof error.code === 'string') return SOCKET_CODES.has(error.code);
  // The driver's own failures carry nothing but words: "Connection terminated …", "timeout exceeded when trying to connect".
  return /^(connection terminated|timeout exceeded|client has encountered a connection error|client was closed)/i.test(
    error.message,
  );
}
