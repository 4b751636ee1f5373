import { Client } from 'pg';
import { endWhenSilent, type WatchedConfig } from './end-when-silent.ts';
import { asPostgresError, QUERY_CANCELED } from './sqlstate.ts';

interface Connection {
  readonly client: Client;
  readonly ready: Promise<unknown>;
  /** So that nobody waits for a promise that is kept already. */
  isReady: boolean;
  inFlight: number;
  /** When it last answered in time, or was given something to do after a rest; by the lane's clock. */
  aliveAt: number;
}

export interface LaneOptions {
  readonly connections: number;
  /** So many calls may wait on one connection before another one is used. */
  readonly full: number;
  /** Milliseconds of a clock that never steps back. */
  readonly now?: () => number;
}

/** Sends a call over a connection and hands on the driver's answer. */
type Send<Result> = (client: Client, done: (error: Error | null | undefined, result: Result) => void) => void;

/** Runs a call over a connection of its own; `wasSlow` where it ran into the lane's time limit before. */
type Alone<Result> = (wasSlow: boolean) => Promise<Result>;

/** A connection that has not answered for so long is held up, and gets nothing more until it has answered everything. */
const STALLED_AFTER_MS = 20;

/**
 * Who shares a connection can fail through others: the call that was to prepare its statement failed at that (26000), or
 * another one prepared it meanwhile (42P05).
 */
const FAILED_BY_OTHERS = new Set(['26000', '42P05']);

/**
 * A few connections that take many calls at once, each a transaction of its own that is sent whole: no checkout, one
 * round trip. For reads only, since what the lane has no room for, what others made fail and what took longer than the
 * `statement_timeout` of the lane's connections is run anew by itself. So nobody waits longer than that time limit for
 * each of the calls before it, and there are at most `full` of them.
 *
 * The first connection is used as long as it keeps up. A backend that finds the next statement waiting does not go to
 * sleep in between, and who sends it wakes nobody up, which under load spares a call a third of its CPU time; one process
 * cannot send so many quick reads that one backend would not keep up.
 */
export class Lane {
  #connections: Connection[] = [];
  #config: WatchedConfig;
  #options: LaneOptions;
  #now: () => number;
  #closed = false;

  constructor(config: WatchedConfig, options: LaneOptions) {
    this.#config = { ...config, pipeline: true };
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Sends one read at once, over the first connection that keeps up, or leaves it to `alone`. */
  send<Result>(start: Send<Result>, alone: Alone<Result>): Promise<Result> {
    const connection = this.#choose();
    if (connection === undefined) return alone(false);
    if (connection.inFlight === 0) connection.aliveAt = this.#now();
    connection.inFlight += 1;
    // One promise for the whole way: the driver's own and those of async functions are a tenth of a look-up here.
    return new Promise((resolve, reject) => {
      const answered = () => {
        connection.inFlight -= 1;
        const now = this.#now();
        if (!isStalled(connection, now)) connection.aliveAt = now;
      };
      const fail = (error: unknown) => {
        answered();
        const code = asPostgresError(error)?.code ?? '';
        if (code === QUERY_CANCELED) resolve(alone(true));
        else if (FAILED_BY_OTHERS.has(code)) resolve(alone(false));
        else reject(error);
      };
      const send = (): void => {
        start(connection.client, (error, result) => {
          if (error) return fail(error);
          answered();
          resolve(result);
        });
      };
      if (connection.isReady) send();
      else connection.ready.then(send, fail);
    });
  }

  /** Waits for what is in flight, then closes every connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#connections.map(({ client }) => client.end().catch(() => undefined)));
  }

  #choose(): Connection | undefined {
    const { connections, full } = this.#options;
    const now = this.#now();
    for (const connection of this.#connections) {
      if (connection.inFlight === 0) return connection;
      if (connection.inFlight < full && !isStalled(connection, now)) return connection;
    }
    return this.#connections.length < connections ? this.#connect() : undefined;
  }

  #connect(): Connection {
    if (this.#closed) throw new Error('The database connections are closed.');
    const client = new Client(this.#config);
    const forget = () => {
      this.#connections = this.#connections.filter((other) => other.client !== client);
    };
    client.once('end', forget);
    // An idle connection that breaks emits an error: dropping it is the whole recovery, the next call makes a new one.
    client.on('error', forget);
    const ready = client.connect();
    const connection: Connection = { client, ready, isReady: false, inFlight: 0, aliveAt: 0 };
    ready.then(() => {
      connection.isReady = true;
      endWhenSilent(client, this.#config.silentAfterMs);
    }, forget);
    this.#connections.push(connection);
    return connection;
  }
}

function isStalled({ aliveAt }: Connection, now: number): boolean {
  return now - aliveAt >= STALLED_AFTER_MS;
}
