import type { Caller } from '#server/postgres/caller.ts';

export interface RememberedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Who its holder counts as, once the database has said so, and until when that may be believed. */
  standing: { readonly caller: Caller; readonly until: number } | null;
  /** Moves on whenever something happens to the session or the account: an answer that was asked for before is old. */
  epoch: number;
}

/** One verification of a signature costs more than a whole look-up. */
const MOST = 10_000;

/** Tokens whose signature is known to be right, at most 10,000: the one that was added first makes room. */
export class RememberedTokens {
  #tokens = new Map<string, RememberedToken>();
  /** By what a notification names: the id of a session or of an account. */
  #byName = new Map<string, Set<RememberedToken>>();

  get(token: string, now: number): RememberedToken | undefined {
    const known = this.#tokens.get(token);
    return known !== undefined && known.expiresAt > now ? known : undefined;
  }

  add(token: string, claims: RememberedToken['claims']): RememberedToken {
    this.#remove(token);
    if (this.#tokens.size >= MOST) {
      // A Map keeps the order of insertion.
      const [first] = this.#tokens.keys();
      if (first !== undefined) this.#remove(first);
    }
    const added: RememberedToken = { claims, expiresAt: Number(claims.exp) * 1000, standing: null, epoch: 0 };
    this.#tokens.set(token, added);
    for (const name of namesOf(added)) {
      const named = this.#byName.get(name);
      if (named === undefined) this.#byName.set(name, new Set([added]));
      else named.add(added);
    }
    return added;
  }

  /** Something happened to a session or an account: what its tokens are worth must be asked again. */
  doubt(name: string): void {
    for (const token of this.#byName.get(name) ?? []) doubt(token);
  }

  /** The same for all of them: something may have happened that nobody told us. */
  doubtAll(): void {
    for (const token of this.#tokens.values()) doubt(token);
  }

  #remove(token: string): void {
    const known = this.#tokens.get(token);
    if (known === undefined) return;
    this.#tokens.delete(token);
    for (const name of namesOf(known)) {
      const named = this.#byName.get(name);
      named?.delete(known);
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
