import type { MissLimit } from '#server/limits/miss-limit.ts';
import { tooManyRequests } from './errors.ts';
import type { RestRequest } from './rest-request.ts';

/** The table and the function that claim a tag code and refuse one that has an item. */
const CLAIMS: ReadonlySet<string> = new Set(['items', 'register_qr_code']);

/** Counts claims that are undone. Each reveals whether its code has an item and leaves no trace. */
export interface UndoneClaims {
  /**
   * Runs a change of `rows` rows. Where it fails or is rolled back on request, it counts as misses of the caller's
   * address, outside the caller's transaction. Past the limit its result is withheld.
   *
   * @throws RestError 429 in place of the result.
   */
  watch<Result>(request: RestRequest, change: ClaimingChange<Result>): Promise<Result>;
}

interface ClaimingChange<Result> {
  readonly rows: number;
  /** The caller requested the result without the change (`tx=rollback`). */
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
