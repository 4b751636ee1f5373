import type { MissLimit } from '#server/http/miss-limit.ts';
import type { FoundEntry, FoundItems } from './found-items.ts';

export type LookUp =
  | { readonly kind: 'found'; readonly entry: FoundEntry }
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number };

const MISSING: LookUp = { kind: 'missing' };

export interface CodeLookUpOptions {
  readonly items: FoundItems;
  readonly misses: MissLimit;
}

/** Looks up the code of a visitor, as often as the limit of misses lets the visitor's address. */
export function codeLookUp({ items, misses }: CodeLookUpOptions) {
  return async (code: string, address: string): Promise<LookUp> => {
    const refusedFor = misses.refusal(address, code);
    if (refusedFor !== null) return { kind: 'too-many', retryAfterSeconds: refusedFor };
    const entry = await items.find(code);
    if (entry !== null) return { kind: 'found', entry };
    const retryAfterSeconds = await misses.countMiss(address);
    return retryAfterSeconds === null ? MISSING : { kind: 'too-many', retryAfterSeconds };
  };
}

export type LookUpCode = ReturnType<typeof codeLookUp>;
