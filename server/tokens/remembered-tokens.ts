import { ByteBoundedMap } from '#server/memory/byte-bounded-map.ts';
import type { Caller } from '#server/postgres/caller.ts';

export interface RememberedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** What the caller counts as according to the database, and until when. */
  standing: { readonly caller: Caller; readonly until: number } | null;
  /** Incremented at each change of the session or account, so that a query started before is recognized as stale. */
  epoch: number;
}

/** Memory of all tokens in bytes, enough for 10,000 ordinary ones. Verifying a signature costs more than a whole lookup. */
const MOST_BYTES = 67_108_864;
/** Memory of a token beside its text and its claims' values, in bytes, as measured. */
const TOKEN_BYTES = 1_024;
/** Memory of one value in the claims, in bytes, as measured with empty objects, which cost most per character. */
const VALUE_BYTES = 100;

/**
 * Caches tokens with verified signatures, up to a number of bytes. The oldest are evicted. The size of a token is the
 * account's choice, because its metadata is among the claims.
 */
export class RememberedTokens {
  #tokens = new ByteBoundedMap<RememberedToken>(MOST_BYTES, (token) => this.#forgetNames(token));
  /** Keyed by what notifications name: a session id or an account id. */
  #byName = new Map<string, Set<RememberedToken>>();

  get(token: string, now: number): RememberedToken | undefined {
    const known = this.#tokens.get(token);
    return known !== undefined && known.expiresAt > now ? known : undefined;
  }

  add(token: string, claims: RememberedToken['claims']): RememberedToken {
    const added: RememberedToken = { claims, expiresAt: Number(claims.exp) * 1000, standing: null, epoch: 0 };
    // The token, its claims as text, and their strings. Base64 makes the token longer than each of them.
    const bytes = TOKEN_BYTES + 3 * token.length + VALUE_BYTES * countValues(claims);
    this.#tokens.set(token, added, bytes);
    for (const name of namesOf(added)) {
      const named = this.#byName.get(name);
      if (named === undefined) this.#byName.set(name, new Set([added]));
      else named.add(added);
    }
    return added;
  }

  /** The estimated memory of all tokens, in bytes. */
  get bytes(): number {
    return this.#tokens.bytes;
  }

  /** Marks the tokens of a changed session or account for another check. */
  doubt(name: string): void {
    for (const token of this.#byName.get(name) ?? []) doubt(token);
  }

  /** Marks all tokens, because notifications may have been missed. */
  doubtAll(): void {
    for (const token of this.#tokens.values()) doubt(token);
  }

  #forgetNames(token: RememberedToken): void {
    for (const name of namesOf(token)) {
      const named = this.#byName.get(name);
      named?.delete(token);
      if (named?.size === 0) this.#byName.delete(name);
    }
  }
}

function doubt(token: RememberedToken): void {
  token.standing = null;
  token.epoch += 1;
}

function namesOf({ claims: { sub, session_id: sessionId } }: RememberedToken): string[] {
  return [sub, sessionId].filter((name) => typeof name === 'string');
}

/** Counts objects, arrays and plain values at all depths. */
function countValues(claims: RememberedToken['claims']): number {
  const unvisited: unknown[] = [claims];
  let count = 0;
  while (unvisited.length > 0) {
    const value = unvisited.pop();
    count += 1;
    if (typeof value === 'object' && value !== null) unvisited.push(...Object.values(value));
  }
  return count;
}
