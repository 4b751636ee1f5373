import type { MissLimit } from '#server/http/miss-limit.ts';
import { inTime } from '#server/postgres/in-time.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import type { FoundEntry, FoundItems } from './found-items.ts';

export type LookUp =
  | { readonly kind: 'found'; readonly entry: FoundEntry }
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number };

/**
 * How long a visitor waits for the database before a page is made without it. With what else a page asks it stays below
 * the 5 s after which people take a page for broken.
 */
const PATIENCE_MS = 2_500;

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
    const entry = await findInTime(items, code);
    if (entry !== null) return { kind: 'found', entry };
    const retryAfterSeconds = await misses.countMiss(address);
    return retryAfterSeconds === null ? MISSING : { kind: 'too-many', retryAfterSeconds };
  };
}

/** A database that does not respond cannot have changed an item either, so what was known last is shown. */
async function findInTime(items: FoundItems, code: string): Promise<FoundEntry | null> {
  const found = items.find(code);
  if (!(found instanceof Promise)) return found;
  try {
    return await inTime(found, PATIENCE_MS);
  } catch (error) {
    const known = isDatabaseUnavailable(error) ? items.lastKnown(code) : null;
    if (known === null) throw error;
    return known;
  }
}

export type LookUpCode = ReturnType<typeof codeLookUp>;
