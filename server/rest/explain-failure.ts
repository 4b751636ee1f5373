import { ShareUsedUp } from '#server/limits/fair-queue.ts';
import { noteRefusal } from '#server/limits/refused-by.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { asPostgresError, httpStatusOfSqlState } from '#server/postgres/sqlstate.ts';
import { databaseUnreachable, tooComplex, tooManyAtOnce, unexpected } from './errors.ts';
import { knownMessage, type Requester } from './known-message.ts';
import { raisedError } from './raised-error.ts';
import { RestError } from './rest-error.ts';

/**
 * Converts any failure to an error response.
 *
 * The details and hints that PostgreSQL adds to its errors contain values of rows ("Key (email)=(…) already exists")
 * and names of columns that the caller may not know ("Perhaps you meant …"). Only errors raised by our own functions
 * pass unchanged; other messages keep only names the caller knows.
 */
export function explainFailure(error: unknown, requester: Requester): RestError {
  const explained = explain(error, requester);
  if (explained.status === 429 && asPostgresError(error) !== null) noteRefusal({ name: 'database_function' });
  return explained;
}

function explain(error: unknown, requester: Requester): RestError {
  if (error instanceof RestError) return error;
  if (error instanceof ShareUsedUp) {
    noteRefusal({ name: 'calls_at_once' });
    return tooManyAtOnce(error);
  }
  const failure = asPostgresError(error);
  if (failure === null) return isDatabaseUnavailable(error) ? databaseUnreachable(error) : unexpected(error);

  const { code, message, detail, hint, raised } = failure;
  if (code === 'PGRST' && raised) return raisedError(message, detail, error);
  const status = code === '42501' && requester.role === 'anon' ? 401 : httpStatusOfSqlState(code, message);
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  if (raised) return new RestError(code, status, message, { details: detail, hint, headers, cause: error });
  // No request can cause this code itself: it is the limit on embedded rows (sql/rows-sql.ts).
  if (code === NEGATIVE_LIMIT) return tooComplex('What it embeds is too much for one answer.');
  if (code === TIMED_OUT)
    return new RestError(code, status, 'canceling statement due to statement timeout', { cause: error });
  // The caller learns no details of a server error; the log has them.
  const sentence = status >= 500 ? SENTENCES[status] : undefined;
  return new RestError(
    code,
    status,
    status >= 500 ? (sentence ?? 'The database could not do this') : knownMessage(failure, requester),
    {
      headers,
      cause: error,
    },
  );
}

const TIMED_OUT = '57014';
const NEGATIVE_LIMIT = '2201W';
const SENTENCES: Readonly<Record<number, string>> = {
  503: 'The database does not respond at the moment',
};
