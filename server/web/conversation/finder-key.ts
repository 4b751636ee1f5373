import { createHmac, randomBytes } from 'node:crypto';
import { FINDER_KEY_DAYS } from '#domain/retention.ts';

const KEY = /^[A-Za-z0-9_-]{20,100}$/;
const BETWEEN = '~';

/** 256 random bits. */
const BROWSER = /^[A-Za-z0-9_-]{43}$/;

/** Short enough not to stay on a shared phone forever. */
const LIFE_SECONDS = FINDER_KEY_DAYS * 86_400;

/** How many conversations about one item a browser keeps: those of a family that shares a phone. */
const MOST_KEYS = 3;

/**
 * The keys of a browser for one item. Each joins a finder's messages to a conversation and grants access to the replies.
 * Only the browser stores them, in an HttpOnly cookie for that item's two addresses; the database stores their hashes.
 *
 * A cookie for a path cannot have the `__Host-` prefix, so a sibling subdomain could plant one and read the conversation
 * of a finder who then writes with its key. Over https a second cookie, with that prefix, holds a random value of the
 * browser, and keys count only with their proof for that value. Nobody else knows the value.
 */
export interface FinderKeys {
  /** Returns the keys in the request; that of the conversation to show comes first. */
  kept(cookieHeader: string | undefined): readonly string[];
  /**
   * Returns the Set-Cookie headers that store the keys: one for the item's page and one for its sticker's address, which
   * serves the same page, and over https the browser's value. Each message renews them.
   */
  cookies(cookieHeader: string | undefined, code: string, keys: readonly string[]): readonly string[];
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

  return {
    // Of several cookies with the name, a planted one may come first.
    kept(cookieHeader) {
      const values = valuesOf(cookieHeader, name);
      if (!secure) return values.map(readKeys).find((keys) => keys.length > 0) ?? [];
      const browser = browserOf(cookieHeader);
      if (browser === undefined) return [];
      const lists = values.map((value) => value.split('.', 1)[0] ?? '');
      return readKeys(lists.find((list, index) => values[index] === bind(list, browser)) ?? '');
    },
    cookies(cookieHeader, code, keys) {
      const browser = browserOf(cookieHeader) ?? randomBytes(32).toString('base64url');
      const list = [...new Set(keys)].slice(0, MOST_KEYS).join(BETWEEN);
      const value = secure ? bind(list, browser) : list;
      return [
        ...[`/item/${code}`, `/${code}`].map((path) => `${name}=${value}; Path=${path}; ${attributes}`),
        ...(secure ? [`${browserName}=${browser}; Path=/; ${attributes}`] : []),
      ];
    },
  };
}

/** The length of a key that a return code stands for. It opens its conversation and begins none. */
const RETURN_KEY_LENGTH = 43;

/**
 * Whether the text can be a key that a return code stands for. A link with any other key could plant one that its sender
 * chose: the sender could begin a conversation with it once the item has another owner, and read what the finder writes.
 */
export function isReturnKey(text: string): boolean {
  return isFinderKey(text) && text.length === RETURN_KEY_LENGTH;
}

/**
 * Returns the key of a new conversation: the one proposed by the page's script, so that a retried message stays in the
 * same conversation, or a random one.
 */
export function newFinderKey(proposed: string | null): string {
  const isUsable = proposed !== null && isFinderKey(proposed) && !isReturnKey(proposed);
  return isUsable ? proposed : randomBytes(24).toString('base64url');
}

function isFinderKey(text: string): boolean {
  return KEY.test(text);
}

function readKeys(list: string): readonly string[] {
  return list.split(BETWEEN, MOST_KEYS).filter(isFinderKey);
}

/** Returns the keys with the proof that this browser was given them. */
function bind(list: string, browser: string): string {
  return `${list}.${createHmac('sha256', browser).update(list).digest('base64url')}`;
}

function valuesOf(cookieHeader: string | undefined, name: string): string[] {
  return (cookieHeader ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
