import { ShareUsedUp } from '#server/fair-shares.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { asPostgresError, httpStatusOfSqlState } from '#server/postgres/sqlstate.ts';
import { databaseUnreachable, tooComplex, tooManyAtOnce, unexpected } from './errors.ts';
import { type Asker, knownMessage } from './known-message.ts';
import { raisedError } from './raised-error.ts';
import { RestError } from './rest-error.ts';

/**
 * Makes the caller's answer out of whatever failed.
 *
 * What PostgreSQL itself adds to its errors holds values of rows ("Key (email)=(…) already exists") and names of
 * columns that the caller may not know ("Perhaps you meant …"), so only the words of our own functions pass whole, and
 * a message only with names that the caller knows.
 */
export function explainFailure(error: unknown, asker: Asker): RestError {
  if (error instanceof RestError) return error;
  if (error instanceof ShareUsedUp) return tooManyAtOnce(error);
  const said = asPostgresError(error);
  if (said === null) return isDatabaseUnavailable(error) ? databaseUnreachable(error) : unexpected(error);

  const { code, message, detail, hint, raised } = said;
  if (code === 'PGRST' && raised) return raisedError(message, detail, error);
  const status = code === '42501' && asker.role === 'anon' ? 401 : httpStatusOfSqlState(code, message);
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  if (raised) return new RestError(code, status, message, { details: detail, hint, headers, cause: error });
  // No request can say so itself: the bound of what one answer embeds (sql/rows-sql.ts).
  if (code === NEGATIVE_LIMIT) return tooComplex('What it embeds is too much for one answer.');
  if (code === TIMED_OUT)
    return new RestError(code, status, 'canceling statement due to statement timeout', { cause: error });
  // A failure that is not the caller's own is nobody's business but the operator's.
  const sentence = status >= 500 ? SENTENCES[status] : undefined;
  return new RestError(
    code,
    status,
    status >= 500 ? (sentence ?? 'The database could not do this') : knownMessage(said, asker),
    {
      headers,
      cause: error,
    },
  );
}

const TIMED_OUT = '57014';
const NEGATIVE_LIMIT = '2201W';
const SENTENCES: Readonly<Record<number, string>> = {
  503: 'The database does not answer at the moment',
};
