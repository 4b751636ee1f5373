import type { RateLimits } from '#server/http/rate-limits.ts';
import type { FoundEntry, FoundItems } from './found-items.ts';

export type LookUp =
  | { readonly kind: 'found'; readonly entry: FoundEntry }
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number };

const MISSING: LookUp = { kind: 'missing' };

/** Most addresses that are remembered as blocked; beyond that the oldest is asked about again. */
const MOST_BLOCKED = 10_000;

export interface CodeLookUpOptions {
  readonly items: FoundItems;
  readonly limits: Pick<RateLimits<'find_item_miss'>, 'take'>;
  readonly now: () => number;
}

/**
 * Looks up the code of a visitor. Each miss counts against the visitor's address, a hit costs nothing; an address
 * that has tried too many gets no answer at all, so that it cannot tell hits from misses either.
 */
export function codeLookUp({ items, limits, now }: CodeLookUpOptions) {
  const blockedUntil = new Map<string, number>();

  return async (code: string, address: string): Promise<LookUp> => {
    const until = blockedUntil.size === 0 ? undefined : blockedUntil.get(address);
    if (until !== undefined) {
      const left = until - now();
      if (left > 0) return { kind: 'too-many', retryAfterSeconds: Math.ceil(left / 1000) };
      blockedUntil.delete(address);
    }
    const entry = await items.find(code);
    if (entry !== null) return { kind: 'found', entry };

    const answer = await limits.take('find_item_miss', address);
    if (answer.allowed) return MISSING;
    if (blockedUntil.size >= MOST_BLOCKED) {
      const oldest = blockedUntil.keys().next();
      if (!oldest.done) blockedUntil.delete(oldest.value);
    }
    blockedUntil.set(address, now() + answer.retryAfterSeconds * 1000);
    return { kind: 'too-many', retryAfterSeconds: answer.retryAfterSeconds };
  };
}

export type LookUpCode = ReturnType<typeof codeLookUp>;
