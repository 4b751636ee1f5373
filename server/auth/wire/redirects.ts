import type { Config } from '#server/config.ts';
import type { SessionObject } from '../sessions/open-session.ts';
import type { AuthError } from './auth-error.ts';

/** Where a link finally leads. */
export interface Redirect {
  readonly url: string;
  /**
   * Whether it is our own page, which receives the token in its fragment. Other pages get the protocol's link
   * (docs/protocol/auth.md, Links).
   */
  readonly isOurs: boolean;
}

/** Our page that completes every flow. */
const CALLBACK = '/auth/callback';

/**
 * Returns the requested URL where it is on our origin or equals an address the operator listed, letter for letter;
 * otherwise our callback page.
 *
 * Patterns and request headers are not considered, so that a link in a mail cannot be made to lead to an attacker's
 * page (GHSA-3529-5m8x-rpv3).
 */
export function chooseRedirect(
  { publicUrl, redirectAllowlist }: Pick<Config, 'publicUrl' | 'redirectAllowlist'>,
  requested: string | undefined,
): Redirect {
  if (requested !== undefined && redirectAllowlist.includes(requested)) return { url: requested, isOurs: false };
  if (requested !== undefined && isOwnPage(requested, publicUrl)) return { url: requested, isOurs: true };
  return { url: publicUrl + CALLBACK, isOurs: true };
}

/**
 * Whether the URL is the configured origin followed by a path, without characters that URL parsers treat differently.
 */
function isOwnPage(requested: string, publicUrl: string): boolean {
  if (!requested.startsWith(`${publicUrl}/`) || requested.startsWith(`${publicUrl}//`)) return false;
  if (!/^[\w.~:/?[\]@!$&'()*+,;=%-]+$/.test(requested) || /%(?:0|1|5c|7f)/i.test(requested)) return false;
  return URL.canParse(requested) && new URL(requested).origin === publicUrl;
}

/** Adds fields to a URL's query. */
export function withQuery(url: string, fields: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value);
  return target.href;
}

/** Sets a URL's fragment, which is not sent to servers. */
export function withFragment(url: string, fields: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  target.hash = new URLSearchParams(fields).toString();
  return target.href;
}

/** Returns a page's URL with a session in its fragment (docs/protocol/auth.md, Links). */
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

/**
 * Returns a page's URL with an error in its fragment, and also in its query where clients look for an authorization
 * code there.
 */
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

/** Where the link of a message leads, and the challenge of the proof key that it is bound to, if any. */
export interface LinkTarget {
  readonly redirect: Redirect;
  readonly challenge: string | null;
}

/** Returns where the link of a message leads, for the `redirect_to` and the `code_challenge` of its request. */
export function chooseLinkTarget(
  config: Pick<Config, 'publicUrl' | 'redirectAllowlist'>,
  requested: string | undefined,
  challenge: string,
): LinkTarget {
  const redirect = chooseRedirect(config, requested);
  return { redirect, challenge: bindsToProofKey(redirect, challenge) ? challenge : null };
}

/** Whether a link of this flow yields an authorization code that only the client with the verifier can use. */
export function bindsToProofKey(redirect: Redirect, challenge: string): boolean {
  // Our own pages receive the token itself, so that the mail can be opened on a different device.
  return challenge !== '' && !redirect.isOurs;
}
