import type { MissLimit } from '#server/http/miss-limit.ts';
import { tooManyRequests } from './errors.ts';
import type { RestRequest } from './rest-request.ts';

/** What claims a tag code, and refuses one that has an item. */
const CLAIMS: ReadonlySet<string> = new Set(['items', 'register_qr_code']);

/** Counts claims that are undone, however: each has told whether its code has an item, and leaves nothing behind. */
export interface UndoneClaims {
  /**
   * Waits for a change of so many rows. Where it fails, or is to be undone although it succeeds, it counts as misses of
   * the caller's address, outside the caller's transaction; past the limit its result is withheld.
   * @throws RestError 429 in place of the result.
   */
  watch<Result>(request: RestRequest, change: ClaimingChange<Result>): Promise<Result>;
}

interface ClaimingChange<Result> {
  readonly rows: number;
  /** The caller has asked for the result without the change. */
  readonly isUndone: boolean;
  make(): Promise<Result>;
}

export function undoneClaims(misses: Pick<MissLimit, 'countMiss'>): UndoneClaims {
  const count = async (address: string, rows: number): Promise<void> => {
    for (let counted = 0; counted < rows; counted += 1) {
      const retryAfterSeconds = await misses.countMiss(address);
      if (retryAfterSeconds !== null) throw tooManyRequests(retryAfterSeconds);
    }
  };
  return {
    async watch({ method, name, caller, clientAddress }, { rows, isUndone, make }) {
      if (method !== 'POST' || caller.role === 'service_role' || !CLAIMS.has(name)) return make();
      const result = await make().catch(async (error: unknown) => {
        await count(clientAddress, rows);
        throw error;
      });
      if (isUndone) await count(clientAddress, rows);
      return result;
    },
  };
}
