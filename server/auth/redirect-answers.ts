import type { AuthError } from './auth-error.ts';
import { withFragment, withQuery } from './choose-redirect.ts';
import type { SessionObject } from './open-session.ts';

/** A page's address with a session in its fragment (wire contract, section 1.8). */
export function withSession(url: string, session: SessionObject, type?: string): string {
  return withFragment(url, {
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: session.refresh_token,
    sb: '',
    token_type: session.token_type,
    ...(type !== undefined && { type }),
  });
}

/** A page's address with what went wrong, in its fragment, and in its query where clients look for a code there. */
export function withRefusal(
  url: string,
  { status, code, message }: AuthError,
  { inQueryToo }: { readonly inQueryToo: boolean },
): string {
  const fields = {
    error: status >= 500 ? 'server_error' : 'access_denied',
    error_code: code,
    error_description: message,
  };
  return withFragment(inQueryToo ? withQuery(url, fields) : url, { ...fields, sb: '' });
}
