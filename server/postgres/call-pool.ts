import type { Pool, PoolClient } from 'pg';
import { FairShares } from '#server/limits/fair-shares.ts';
import { UsedTime } from '#server/limits/recent-entries.ts';
import { type PlacesOfKind, ReservedPlaces } from '#server/limits/reserved-places.ts';
import { mayBeSilentFor } from './end-when-silent.ts';
import { withClient } from './transact.ts';

/** What a connection is reserved for while it is used. `slow`: what is known to take long, whoever calls. */
export type CallKind = 'callers' | 'slow' | 'visitors' | 'service';

/**
 * A call that takes longer is a long one, in milliseconds. An owner's ordinary call takes 5 ms, also many times as much
 * while the database is busy with others; a spreadsheet of 1,000 new items takes most of a second.
 */
export const LONG_MS = 500;
/** All calls of a holder whose long ones have lately taken so much, in milliseconds, are slow. */
export const MUCH_MS = 1_000;

export interface CallPoolOptions {
  /** As many connections as `connections`. */
  readonly pool: Pool;
  readonly connections: number;
  /** How long a call waits for a connection, in milliseconds. */
  readonly waitMs: number;
  /** How long PostgreSQL may take to respond to a call of each kind, in milliseconds. */
  readonly silentAfterMs: Readonly<Record<CallKind, number>>;
}

/** The connections that each kind can have, and that one address of visitors can have of them. */
export interface CallShares {
  readonly kinds: Readonly<Record<CallKind, PlacesOfKind>>;
  readonly perAddress: number;
}

/**
 * Divides `connections` among kinds of calls. Slow calls and visitors, whose calls strangers can make slow, never have so
 * many that none is left for others.
 *
 * @example
 * divideAmongCalls(7) // 5 for signed-in callers; 2 for slow calls; 3 for visitors, of which one address has 1
 */
export function divideAmongCalls(connections: number): CallShares {
  const most = connections - 2;
  const visitors = Math.floor((connections * 3) / 7);
  return {
    kinds: {
      callers: { own: 1, most },
      service: { own: 1, most },
      visitors: { own: 1, most: visitors },
      slow: { own: 0, most: Math.floor((connections * 2) / 7) },
    },
    // With a larger share, two addresses could take all of them.
    perAddress: Math.max(1, Math.round(visitors / 3)),
  };
}

/** A call that has a connection to itself. */
export interface PooledCall {
  readonly kind: CallKind;
  /** Whose calls are counted together: an account, or an address of visitors; null for none. */
  readonly holder: string | null;
  /** Whether it need not wait for other calls of its holder, because it is soon over. */
  readonly isShort?: boolean;
}

/**
 * The connections that a call has to itself. An account has one call at a time, apart from short ones: a second one would
 * often wait for what the first has locked. Once the long calls of an account or address have taken much time, all of its calls are slow ones.
 */
export class CallPool {
  #pool: Pool;
  #accounts: FairShares;
  #addresses: FairShares;
  #longCalls = new UsedTime(() => performance.now());
  #places: ReservedPlaces<CallKind>;
  #silentAfterMs: Readonly<Record<CallKind, number>>;

  constructor({ pool, connections, waitMs, silentAfterMs }: CallPoolOptions) {
    const { kinds, perAddress } = divideAmongCalls(connections);
    this.#pool = pool;
    this.#accounts = new FairShares({ most: 1, waitMs });
    this.#addresses = new FairShares({ most: perAddress, waitMs });
    this.#places = new ReservedPlaces({ kinds, places: connections, waitMs });
    this.#silentAfterMs = silentAfterMs;
  }

  /**
   * Reserves a connection while `use` runs. Rejects with `ShareUsedUp` where the holder's own calls use its share for
   * too long, and with `NoPlaceFree` where those of others do.
   */
  async run<Result>(
    { kind, holder, isShort = false }: PooledCall,
    use: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const shares = kind === 'visitors' ? this.#addresses : this.#accounts;
    const sharer = holder !== null && isShort ? `short calls of ${holder}` : holder;
    // Waits for its holder before it waits for a connection, so that no other call waits behind it.
    const share = shares.take(sharer);
    if (share !== undefined) await share;
    try {
      const placeOf = holder !== null && this.#longCalls.of(holder) > MUCH_MS ? 'slow' : kind;
      const place = this.#places.take(placeOf);
      if (place !== undefined) await place;
      try {
        return await withClient(this.#pool, async (client) => {
          mayBeSilentFor(client, this.#silentAfterMs[kind]);
          const beganAt = performance.now();
          try {
            return await use(client);
          } finally {
            const ms = performance.now() - beganAt;
            if (holder !== null && ms > LONG_MS) this.#longCalls.add(holder, ms);
          }
        });
      } finally {
        this.#places.giveBack(placeOf);
      }
    } finally {
      shares.giveBack(sharer);
    }
  }

  /** How many connections each kind uses, and how many calls of it wait for one. Idle ones belong to no kind. */
  usage() {
    const kinds = (['callers', 'slow', 'visitors', 'service'] as const).map((kind) => {
      const { taken, waiting } = this.#places.usage(kind);
      return { pool: kind, busy: taken, idle: 0, waiting };
    });
    return [...kinds, { pool: 'for_any_call', busy: 0, idle: this.#pool.idleCount, waiting: 0 }];
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
