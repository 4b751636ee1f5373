import type { Pool, PoolClient } from 'pg';
import { FairShares } from '#server/limits/fair-shares.ts';
import { type PlacesOfKind, ReservedPlaces } from '#server/limits/reserved-places.ts';
import { mayBeSilentFor } from './end-when-silent.ts';
import { withClient } from './transact.ts';

/** What a connection is reserved for while it is used. */
export type CallKind = 'callers' | 'slow_reads' | 'visitors' | 'service';

export interface CallPoolOptions {
  /** As many connections as `connections`. */
  readonly pool: Pool;
  readonly connections: number;
  /** How long a call waits for a connection, in milliseconds. */
  readonly waitMs: number;
  /** How long PostgreSQL may take to respond to a call of each kind, in milliseconds. */
  readonly silentAfterMs: Readonly<Record<CallKind, number>>;
}

/** The connections that each kind can have, and that one account or address of visitors can have of them. */
export interface CallShares {
  readonly kinds: Readonly<Record<CallKind, PlacesOfKind>>;
  readonly perAccount: number;
  readonly perAddress: number;
}

/**
 * Divides `connections` among kinds of calls. Slow reads and visitors, whose calls strangers can make slow, never have so
 * many that none is left for others.
 *
 * @example
 * divideAmongCalls(7) // 5 for signed-in callers, of which one account has 2; 3 for visitors, of which one address has 1
 */
export function divideAmongCalls(connections: number): CallShares {
  const most = connections - 2;
  const visitors = Math.floor((connections * 3) / 7);
  return {
    kinds: {
      callers: { own: 1, most },
      service: { own: 1, most },
      visitors: { own: 1, most: visitors },
      slow_reads: { own: 0, most: Math.floor((connections * 2) / 7) },
    },
    perAccount: thirdOf(most),
    perAddress: thirdOf(visitors),
  };
}

/** With a larger share, two holders could take all of them. */
function thirdOf(connections: number): number {
  return Math.max(1, Math.round(connections / 3));
}

/** The connections that a call has to itself. An account is counted for all of its calls together. */
export class CallPool {
  #pool: Pool;
  #accounts: FairShares;
  #addresses: FairShares;
  #places: ReservedPlaces<CallKind>;
  #silentAfterMs: Readonly<Record<CallKind, number>>;

  constructor({ pool, connections, waitMs, silentAfterMs }: CallPoolOptions) {
    const { kinds, perAccount, perAddress } = divideAmongCalls(connections);
    this.#pool = pool;
    this.#accounts = new FairShares({ most: perAccount, waitMs });
    this.#addresses = new FairShares({ most: perAddress, waitMs });
    this.#places = new ReservedPlaces({ kinds, places: connections, waitMs });
    this.#silentAfterMs = silentAfterMs;
  }

  /**
   * Reserves a connection while `use` runs. Rejects with `ShareUsedUp` where the holder's own calls use its share for
   * too long, and with `NoPlaceFree` where those of others do.
   */
  async run<Result>(
    kind: CallKind,
    holder: string | null,
    use: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const shares = kind === 'visitors' ? this.#addresses : this.#accounts;
    // Waits for its holder before it waits for a connection, so that no other call waits behind it.
    const share = shares.take(holder);
    if (share !== undefined) await share;
    try {
      const place = this.#places.take(kind);
      if (place !== undefined) await place;
      try {
        return await withClient(this.#pool, (client) => {
          mayBeSilentFor(client, this.#silentAfterMs[kind]);
          return use(client);
        });
      } finally {
        this.#places.giveBack(kind);
      }
    } finally {
      shares.giveBack(holder);
    }
  }

  /** How many connections each kind uses, and how many calls of it wait for one. Idle ones belong to no kind. */
  usage() {
    const kinds = (['callers', 'slow_reads', 'visitors', 'service'] as const).map((kind) => {
      const { taken, waiting } = this.#places.usage(kind);
      return { pool: kind, busy: taken, idle: 0, waiting };
    });
    return [...kinds, { pool: 'for_any_call', busy: 0, idle: this.#pool.idleCount, waiting: 0 }];
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
