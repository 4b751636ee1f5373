import { randomBytes } from 'node:crypto';

const KEY = /^[A-Za-z0-9_-]{20,100}$/;

/** Long enough for an item to be returned, short enough not to stay on a shared phone forever: 90 days, in seconds. */
const LIFE_SECONDS = 7_776_000;

/**
 * The key that joins a finder's messages about one item to a conversation and grants access to the replies. Only the
 * browser stores it, in an HttpOnly cookie for that item's two addresses; the database stores its hash.
 */
export interface FinderKeys {
  /** Returns the key in the request, or null. */
  kept(cookieHeader: string | undefined): string | null;
  /**
   * Returns the key in the request; else the key proposed by the page's script, so that a retried message stays in the
   * same conversation; else a new one.
   */
  forMessage(cookieHeader: string | undefined, proposed: string | null): string;
  /**
   * Returns the Set-Cookie headers that store the key: one for the item's page and one for its sticker's address, which
   * serves the same page. Each message renews them.
   */
  cookies(code: string, key: string): readonly string[];
}

export interface FinderKeyOptions {
  readonly storagePrefix: string;
  /** Whether the cookie is restricted to HTTPS. */
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
    cookies: (code, key) =>
      [`/item/${code}`, `/${code}`].map(
        (path) =>
          `${name}=${key}; Path=${path}; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
      ),
  };
}
