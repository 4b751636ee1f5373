import { randomBytes } from 'node:crypto';

const KEY = /^[A-Za-z0-9_-]{20,100}$/;

/** Long enough for an item to come back, short enough not to stay on a stranger's phone for good: 90 days, in seconds. */
const LIFE_SECONDS = 7_776_000;

export interface FinderKey {
  readonly key: string;
  /** The Set-Cookie header that makes the browser keep it, renewed with each message. */
  readonly cookie: string;
}

/**
 * The key by which a finder's messages about one item become one conversation. The browser alone keeps it, for the
 * paths of that item only and out of reach of scripts; the database keeps its hash.
 */
export function finderKey(
  code: string,
  cookieHeader: string | undefined,
  { storagePrefix, secure }: { readonly storagePrefix: string; readonly secure: boolean },
): FinderKey {
  const name = `${storagePrefix}_finder_key`;
  const given = cookieHeader
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  const key = given !== undefined && KEY.test(given) ? given : randomBytes(24).toString('base64url');
  const cookie = `${name}=${key}; Path=/item/${code}; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return { key, cookie };
}
