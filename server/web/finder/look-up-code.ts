import type { MissLimit } from '#server/limits/miss-limit.ts';
import type { Database } from '#server/postgres/database.ts';
import { inTime } from '#server/postgres/in-time.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import type { FoundEntry, FoundItems } from './item-cache.ts';

export type LookUp =
  | { readonly kind: 'found'; readonly entry: FoundEntry }
  /** The code has no item. `isClaimable`: the visitor may tag one with it. */
  | { readonly kind: 'missing'; readonly isClaimable: boolean }
  | { readonly kind: 'too-many'; readonly retryAfterSeconds: number };

/**
 * The longest wait for the database before a page is served without it. Together with the page's other queries it stays
 * below 5 s, after which visitors consider a page broken.
 */
export const LOOK_UP_TIMEOUT_MS = 2_500;

export interface CodeLookUpOptions {
  readonly database: Pick<Database, 'readAsVisitor'>;
  readonly items: FoundItems;
  readonly misses: MissLimit;
}

/**
 * Returns a function that looks up a visitor's code within the limit of misses for the visitor's address. Synchronous
 * where the item is cached.
 */
export function codeLookUp({ database, items, misses }: CodeLookUpOptions) {
  return (code: string, address: string): LookUp | Promise<LookUp> => {
    const refusedFor = misses.refusal(address, code);
    if (refusedFor !== null) return { kind: 'too-many', retryAfterSeconds: refusedFor };
    const found = items.find(code);
    return found instanceof Promise ? read(code, address, found) : { kind: 'found', entry: found };
  };

  async function read(code: string, address: string, found: Promise<FoundEntry | null>): Promise<LookUp> {
    const entry = await inTimeOrLastKnown(items, code, found);
    if (entry !== null) return { kind: 'found', entry };
    const retryAfterSeconds = await misses.countMiss(address);
    if (retryAfterSeconds !== null) return { kind: 'too-many', retryAfterSeconds };
    return { kind: 'missing', isClaimable: await inTime(canClaimCode(database, code), LOOK_UP_TIMEOUT_MS) };
  }
}

/** Returns whether a visitor can claim the code. False for a void code and for one that is not known alike. */
async function canClaimCode(database: Pick<Database, 'readAsVisitor'>, code: string): Promise<boolean> {
  const { rows } = await database.readAsVisitor<{ readonly can: boolean }>({
    name: 'can_claim_code_for_page',
    text: 'select public.can_claim_code($1) as can',
    values: [code],
  });
  return rows[0]?.can ?? false;
}

/** A database that does not respond cannot have changed an item, so the last known one is shown. */
async function inTimeOrLastKnown(
  items: FoundItems,
  code: string,
  found: Promise<FoundEntry | null>,
): Promise<FoundEntry | null> {
  try {
    return await inTime(found, LOOK_UP_TIMEOUT_MS);
  } catch (error) {
    const known = isDatabaseUnavailable(error) ? items.lastKnown(code) : null;
    if (known === null) throw error;
    return known;
  }
}

export type LookUpCode = ReturnType<typeof codeLookUp>;

/**
 * Returns the item of a code that was found nowhere, without the hyphens and underscores at its end, or null: a mark of a
 * text that looks like a part of the code, as in `_https://…_` of some programs.
 */
export async function findWithoutMarks(lookUp: LookUpCode, code: string, address: string): Promise<FoundEntry | null> {
  const shorter = code.replace(/[-_]+$/, '');
  if (shorter === code || shorter === '') return null;
  const meant = await lookUp(shorter, address);
  return meant.kind === 'found' ? meant.entry : null;
}
