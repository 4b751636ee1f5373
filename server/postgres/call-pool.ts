import type { Pool, PoolClient } from 'pg';
import { FairShares } from '#server/limits/fair-shares.ts';
import { mayBeSilentFor } from './end-when-silent.ts';
import { withClient } from './transact.ts';

/** Whose a call is. */
export type CallKind = 'callers' | 'visitors' | 'service';

export interface CallPoolOptions {
  /** As many connections as `connections`. */
  readonly pool: Pool;
  readonly connections: number;
  /** How long a call waits for a share of the connections, in milliseconds. */
  readonly waitMs: number;
  /** How long PostgreSQL may take to respond to a call of each kind, in milliseconds. */
  readonly silentAfterMs: Readonly<Record<CallKind, number>>;
}

/** The most connections that calls of each kind can have, that callers and visitors have together, and one address. */
export interface CallShares extends Readonly<Record<CallKind, number>> {
  readonly people: number;
  readonly perAddress: number;
}

/**
 * Divides `connections` among kinds of calls. Visitors, whose calls strangers can make slow, leave more than half to
 * others; visitors and callers together leave one to the service.
 *
 * @example
 * divideAmongCalls(8) // 5 for signed-in callers, 5 for the service, 3 for visitors, of which one address has 1
 */
export function divideAmongCalls(connections: number): CallShares {
  const visitors = Math.floor((connections * 3) / 8);
  return {
    callers: connections - 3,
    service: connections - 3,
    visitors,
    people: connections - 1,
    // With a larger share, two addresses could take all of them.
    perAddress: Math.max(1, Math.round(visitors / 3)),
  };
}

/** Every connection that a call of its kind can have was in use by others for the full waiting time. */
export class NoConnectionFree extends Error {
  override name = 'NoConnectionFree';

  constructor(kind: string) {
    super(`No connection for ${kind} became free in time.`);
  }
}

/**
 * The connections that a call has to itself. An account has one call at a time: a second one would often wait for what
 * the first has locked.
 */
export class CallPool {
  #pool: Pool;
  #accounts: FairShares;
  #addresses: FairShares;
  #kinds: Readonly<Record<CallKind | 'people', FairShares>>;
  #silentAfterMs: Readonly<Record<CallKind, number>>;

  constructor({ pool, connections, waitMs, silentAfterMs }: CallPoolOptions) {
    const { perAddress, ...kinds } = divideAmongCalls(connections);
    const sharesOf = (kind: CallKind | 'people') =>
      new FairShares({ most: kinds[kind], waitMs, refusal: () => new NoConnectionFree(kind) });
    this.#pool = pool;
    this.#accounts = new FairShares({ most: 1, waitMs });
    this.#addresses = new FairShares({ most: perAddress, waitMs });
    this.#kinds = {
      callers: sharesOf('callers'),
      visitors: sharesOf('visitors'),
      service: sharesOf('service'),
      people: sharesOf('people'),
    };
    this.#silentAfterMs = silentAfterMs;
  }

  /**
   * Reserves a connection while `use` runs. Rejects with `ShareUsedUp` where the holder's own calls use its share for
   * too long, and with `NoConnectionFree` where those of others do.
   *
   * @param holder - Whose calls are counted together: an account, or an address of visitors; null for none.
   */
  async run<Result>(
    kind: CallKind,
    holder: string | null,
    use: (client: PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const call = () =>
      withClient(this.#pool, (client) => {
        mayBeSilentFor(client, this.#silentAfterMs[kind]);
        return use(client);
      });
    const { [kind]: ofKind, people } = this.#kinds;
    if (kind === 'service') return ofKind.run(kind, call);
    // Waits for its holder before it waits for a connection, so that no other call waits behind it.
    const ofHolder = kind === 'visitors' ? this.#addresses : this.#accounts;
    return ofHolder.run(holder, () => ofKind.run(kind, () => people.run('people', call)));
  }

  /** How many connections each kind uses, and how many calls of it wait for one. Idle ones belong to no kind. */
  usage() {
    const kinds = (['callers', 'visitors', 'service'] as const).map((kind) => {
      const { held, waiting } = this.#kinds[kind].usage(kind);
      return { pool: kind, busy: held, idle: 0, waiting };
    });
    return [...kinds, { pool: 'for_any_call', busy: 0, idle: this.#pool.idleCount, waiting: 0 }];
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
