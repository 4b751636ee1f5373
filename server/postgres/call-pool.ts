import type { Pool, PoolClient } from 'pg';
import { FairQueue, NoTurn } from '#server/limits/fair-queue.ts';
import { mayBeSilentFor } from './end-when-silent.ts';
import { withClient } from './transact.ts';

/** Whose a call is. */
export type CallKind = 'callers' | 'visitors' | 'service';

export interface CallPoolOptions {
  /** As many connections as `connections`. */
  readonly pool: Pool;
  readonly connections: number;
  /** How long a call waits for its turn, in milliseconds. */
  readonly waitMs: number;
  /** How long PostgreSQL may take to respond to a call of each kind, in milliseconds. */
  readonly silentAfterMs: Readonly<Record<CallKind, number>>;
}

/** How many connections calls of one kind have at most, and how many of them one holder. */
export interface CallShare {
  readonly connections: number;
  readonly perHolder: number;
}

/**
 * Divides `connections` among kinds of calls. Half are for signed-in callers alone. Visitors and the service share the
 * others, and each leaves one to the other: strangers can make the calls of visitors slow, and the operator those with
 * the secret key.
 *
 * An account has one call at a time: a second one would often wait for what the first has locked.
 *
 * @example
 * divideAmongCalls(8) // 4 for signed-in callers; up to 3 for visitors, and up to 3 for the service
 */
export function divideAmongCalls(connections: number): Readonly<Record<CallKind, CallShare>> {
  const others = Math.floor(connections / 2);
  // With a larger share, two addresses could take all of them.
  const shared = { connections: others - 1, perHolder: Math.max(1, Math.round((others - 1) / 3)) };
  return { callers: { connections: connections - others, perHolder: 1 }, visitors: shared, service: shared };
}

/** Every connection of a call's kind was in use by others for the full waiting time. */
export class NoConnectionFree extends Error {
  override name = 'NoConnectionFree';

  constructor(kind: CallKind, cause: NoTurn) {
    super(`No connection for ${kind} became free in time.`, { cause });
  }
}

/** The connections that a call has to itself. Calls wait for one in a single place. */
export class CallPool {
  #pool: Pool;
  #turns: Readonly<Record<CallKind, FairQueue>>;
  #silentAfterMs: Readonly<Record<CallKind, number>>;

  constructor({ pool, connections, waitMs, silentAfterMs }: CallPoolOptions) {
    const { callers, visitors: shared } = divideAmongCalls(connections);
    const others = new FairQueue({
      atOnce: connections - callers.connections,
      perLane: shared.connections,
      perHolder: shared.perHolder,
      waitMs,
    });
    this.#pool = pool;
    this.#turns = {
      callers: new FairQueue({ atOnce: callers.connections, perHolder: callers.perHolder, waitMs }),
      visitors: others,
      service: others,
    };
    this.#silentAfterMs = silentAfterMs;
  }

  /**
   * Reserves a connection while `use` runs. Rejects with `ShareUsedUp` where the holder's own calls use its share for
   * too long, and with `NoConnectionFree` where those of others do.
   *
   * @param holder - Whose calls are counted together: an account, an address of visitors, or the secret key; null for
   *   none.
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
    try {
      return await this.#turns[kind].run(holder, call, kind);
    } catch (error) {
      throw error instanceof NoTurn ? new NoConnectionFree(kind, error) : error;
    }
  }

  /** How many connections each kind uses, and how many calls of it wait for one. Idle ones belong to no kind. */
  usage() {
    const kinds = (['callers', 'visitors', 'service'] as const).map((kind) => {
      const turns = this.#turns[kind];
      return { pool: kind, busy: turns.running(kind), idle: 0, waiting: turns.waiting(kind) };
    });
    return [...kinds, { pool: 'for_any_call', busy: 0, idle: this.#pool.idleCount, waiting: 0 }];
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
