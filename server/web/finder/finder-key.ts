import { createHmac, randomBytes } from 'node:crypto';
import { FINDER_KEY_DAYS } from '#domain/retention.ts';

const KEY = /^[A-Za-z0-9_-]{20,100}$/;

/** 256 random bits. */
const BROWSER = /^[A-Za-z0-9_-]{43}$/;

/** Short enough not to stay on a shared phone forever. */
const LIFE_SECONDS = FINDER_KEY_DAYS * 86_400;

/**
 * The key that joins a finder's messages about one item to a conversation and grants access to the replies. Only the
 * browser stores it, in an HttpOnly cookie for that item's two addresses; the database stores its hash.
 *
 * A cookie for a path cannot have the `__Host-` prefix, so a sibling subdomain could plant one and read the conversation
 * of a finder who then writes with its key. Over https a second cookie, with that prefix, holds a random value of the
 * browser, and a key counts only with its proof for that value. Nobody else knows the value.
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
   * serves the same page, and over https the browser's value. Each message renews them.
   */
  cookies(cookieHeader: string | undefined, code: string, key: string): readonly string[];
}

export interface FinderKeyOptions {
  readonly storagePrefix: string;
  /** Whether the cookies are restricted to HTTPS. Without it browsers accept no cookie with the prefix. */
  readonly secure: boolean;
}

export function finderKeys({ storagePrefix, secure }: FinderKeyOptions): FinderKeys {
  const name = `${storagePrefix}_finder_key`;
  const browserName = `__Host-${storagePrefix}_finder`;
  const attributes = `Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

  const browserOf = (cookieHeader: string | undefined) =>
    valuesOf(cookieHeader, browserName).find((value) => BROWSER.test(value));

  // Of several cookies with the name, a planted one may come first.
  const kept = (cookieHeader: string | undefined): string | null => {
    const values = valuesOf(cookieHeader, name);
    if (!secure) return values.find((value) => KEY.test(value)) ?? null;
    const browser = browserOf(cookieHeader);
    if (browser === undefined) return null;
    const keys = values.map((value) => value.split('.', 1)[0] ?? '');
    return keys.find((key, index) => KEY.test(key) && values[index] === bind(key, browser)) ?? null;
  };

  return {
    kept,
    forMessage: (cookieHeader, proposed) =>
      kept(cookieHeader) ??
      (proposed !== null && KEY.test(proposed) ? proposed : randomBytes(24).toString('base64url')),
    cookies(cookieHeader, code, key) {
      const browser = browserOf(cookieHeader) ?? randomBytes(32).toString('base64url');
      const value = secure ? bind(key, browser) : key;
      return [
        ...[`/item/${code}`, `/${code}`].map((path) => `${name}=${value}; Path=${path}; ${attributes}`),
        ...(secure ? [`${browserName}=${browser}; Path=/; ${attributes}`] : []),
      ];
    },
  };
}

/** Returns the key with the proof that this browser was given it. */
function bind(key: string, browser: string): string {
  return `${key}.${createHmac('sha256', browser).update(key).digest('base64url')}`;
}

function valuesOf(cookieHeader: string | undefined, name: string): string[] {
  return (cookieHeader ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
