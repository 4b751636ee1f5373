import type { Config } from '#server/config.ts';

/** Where a person comes out after a link. */
export interface Redirect {
  readonly url: string;
  /** A page of ours, which takes the token in its fragment; any other one gets what the protocol gives (section 1.8). */
  readonly isOurs: boolean;
}

/** The page of ours that finishes whatever a link began. */
const CALLBACK = '/auth/callback';

/**
 * What a request asks for, where it is a page of our own origin or, letter for letter, an address that the operator
 * listed; otherwise our own page. Nothing is matched by pattern, and no header has a say: a link in a mail must not
 * lead to where a stranger wants it to (GHSA-3529-5m8x-rpv3).
 */
export function chooseRedirect(
  { publicUrl, redirectAllowlist }: Pick<Config, 'publicUrl' | 'redirectAllowlist'>,
  requested: string | undefined,
): Redirect {
  if (requested !== undefined && redirectAllowlist.includes(requested)) return { url: requested, isOurs: false };
  if (requested !== undefined && isOwnPage(requested, publicUrl)) return { url: requested, isOurs: true };
  return { url: publicUrl + CALLBACK, isOurs: true };
}

/** The origin as it is configured, then a path; none of the characters that programs read in more than one way. */
function isOwnPage(requested: string, publicUrl: string): boolean {
  if (!requested.startsWith(`${publicUrl}/`) || requested.startsWith(`${publicUrl}//`)) return false;
  if (!/^[\w.~:/?[\]@!$&'()*+,;=%-]+$/.test(requested) || /%(?:0|1|5c|7f)/i.test(requested)) return false;
  return URL.canParse(requested) && new URL(requested).origin === publicUrl;
}

/** Adds what a link gives to a page's query. */
export function withQuery(url: string, fields: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value);
  return target.href;
}

/** The same in its fragment, which no server sees and no page passes on. */
export function withFragment(url: string, fields: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  target.hash = new URLSearchParams(fields).toString();
  return target.href;
}
