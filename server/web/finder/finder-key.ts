import { randomBytes } from 'node:crypto';

const KEY = /^[A-Za-z0-9_-]{20,100}$/;

/** Long enough for an item to come back, short enough not to stay on a stranger's phone for good: 90 days, in seconds. */
const LIFE_SECONDS = 7_776_000;

/**
 * The key by which a finder's messages about one item become one conversation, and by which the answers are read. The
 * browser alone keeps it, for the paths of that item only and out of reach of scripts; the database keeps its hash.
 */
export interface FinderKeys {
  /** The key that came with the request, or null. */
  kept(cookieHeader: string | undefined): string | null;
  /** The kept key; else the one that the page's script made, so that a message sent again is in the same conversation; else a new one. */
  forMessage(cookieHeader: string | undefined, proposed: string | null): string;
  /** The Set-Cookie header that makes the browser keep it, renewed with each message. */
  cookie(code: string, key: string): string;
}

export interface FinderKeyOptions {
  readonly storagePrefix: string;
  /** The cookie travels over https only. */
  readonly secure: boolean;
}

export function finderKeys({ storagePrefix, secure }: FinderKeyOptions): FinderKeys {
  const name = `${storagePrefix}_finder_key`;

  const kept = (cookieHeader: string | undefined): string | null => {
    const given = cookieHeader
      ?.split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1);
    return given !== undefined && KEY.test(given) ? given : null;
  };

  return {
    kept,
    forMessage: (cookieHeader, proposed) =>
      kept(cookieHeader) ??
      (proposed !== null && KEY.test(proposed) ? proposed : randomBytes(24).toString('base64url')),
    cookie: (code, key) =>
      `${name}=${key}; Path=/item/${code}; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
  };
}
