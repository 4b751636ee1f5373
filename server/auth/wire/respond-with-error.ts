import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { AuthError } from './auth-error.ts';

/** Since this API version the error code is a string in `code`; the official client requests it on every call. */
const VERSION_WITH_CODES = '2024-01-01';

/**
 * Converts any failure to the service's error format. Failures that are not the client's are logged with their cause.
 */
export function respondWithError(failure: unknown, c: Context<AppEnv>): Response {
  const error = asAuthError(failure);
  if (isForOperator(error)) {
    c.get('log').error({ err: error.cause ?? error, errorCode: error.code }, 'A request to the auth service failed.');
  }
  c.header('x-sb-error-code', error.code);
  c.header('Cache-Control', 'no-store');
  if (error.retryAfterSeconds !== undefined) c.header('Retry-After', String(error.retryAfterSeconds));

  const { status, code, message, weakPasswordReasons: reasons } = error;
  const weakness = reasons === undefined ? {} : { weak_password: { reasons } };
  if (wantsCodes(c.req.header('x-supabase-api-version'))) {
    c.header('X-Supabase-Api-Version', VERSION_WITH_CODES);
    return c.json({ code, message, ...weakness }, status);
  }
  const errorId = status >= 500 ? { error_id: c.get('requestId') } : {};
  return c.json({ code: status, error_code: code, msg: message, ...errorId, ...weakness }, status);
}

function asAuthError(failure: unknown): AuthError {
  if (failure instanceof AuthError) return failure;
  if (isDatabaseUnavailable(failure)) return new AuthError('unavailable', { retryAfterSeconds: 2, cause: failure });
  return new AuthError('unexpected', { cause: failure });
}

/** The protocol uses 422 for a failing SMS provider, which only the operator can resolve. */
function isForOperator({ status, code }: AuthError): boolean {
  return status >= 500 || code === 'sms_send_failed';
}

/** Dates in this format sort as text. */
function wantsCodes(version: string | undefined): boolean {
  return version !== undefined && isDate(version) && version >= VERSION_WITH_CODES;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
