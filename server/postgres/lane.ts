import type { Client } from 'pg';
import { endWhenSilent, type WatchedConfig } from './end-when-silent.ts';
import { PrimaryClient } from './primary-client.ts';
import { asPostgresError, QUERY_CANCELED } from './sqlstate.ts';

interface Connection {
  readonly client: Client;
  readonly ready: Promise<unknown>;
  /** Saves awaiting a promise that is already fulfilled. */
  isReady: boolean;
  inFlight: number;
  /** When it last responded in time, or got work after being idle, by the lane's clock. */
  aliveAt: number;
}

export interface LaneOptions {
  readonly connections: number;
  /** How many calls may be queued on one connection before the next one is used. */
  readonly full: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Sends a call over a connection and passes on the driver's result. */
type Send<Result> = (client: Client, done: (error: Error | null | undefined, result: Result) => void) => void;

/** Runs a call on a connection of its own. */
type Alone<Result> = () => Promise<Result>;

/**
 * After this time without a response, a connection is considered stalled and gets no more calls until it has responded
 * to all.
 */
const STALLED_AFTER_MS = 20;

/**
 * Failures that a call does not have by itself: the connections' timeout, and what another call on the connection
 * causes, which failed to prepare the statement (26000), or prepared it in the meantime (42P05).
 */
const RUN_AGAIN = new Set([QUERY_CANCELED, '26000', '42P05']);

/**
 * A few shared connections that take many calls at once. Each call is a transaction of its own, sent whole, without a
 * checkout and in one round trip.
 *
 * For reads only, because a call is run again on a connection of its own where the lane is full, another call made it
 * fail, or it exceeds the connections' `statement_timeout`. A call thus waits at most that timeout for each of at most
 * `full` calls before it.
 *
 * The first connection is used as long as it keeps up: a backend that finds the next statement waiting does not sleep,
 * and the sender need not wake it, which under load saves a third of the CPU time per call.
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

  /** Sends a read over the first connection that keeps up. Passes it to `alone` where there is none. */
  send<Result>(start: Send<Result>, alone: Alone<Result>): Promise<Result> {
    const connection = this.#choose();
    if (connection === undefined) return alone();
    if (connection.inFlight === 0) connection.aliveAt = this.#now();
    connection.inFlight += 1;
    // A single promise for the whole path: the promises of the driver and of async functions would be a tenth of a
    // lookup's cost.
    return new Promise((resolve, reject) => {
      const responded = () => {
        connection.inFlight -= 1;
        const now = this.#now();
        if (!isStalled(connection, now)) connection.aliveAt = now;
      };
      const fail = (error: unknown) => {
        responded();
        const code = asPostgresError(error)?.code ?? '';
        if (RUN_AGAIN.has(code)) resolve(alone());
        else reject(error);
      };
      const send = (): void => {
        start(connection.client, (error, result) => {
          if (error) return fail(error);
          responded();
          resolve(result);
        });
      };
      if (connection.isReady) send();
      else connection.ready.then(send, fail);
    });
  }

  /** How many of its connections have calls in progress, and how many have none. */
  get usage(): { readonly busy: number; readonly idle: number } {
    const busy = this.#connections.filter(({ inFlight }) => inFlight > 0).length;
    return { busy, idle: this.#connections.length - busy };
  }

  /** Waits for calls in progress, then closes every connection. */
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
    const client = new PrimaryClient(this.#config);
    const forget = () => {
      this.#connections = this.#connections.filter((other) => other.client !== client);
    };
    client.once('end', forget);
    // An idle connection that breaks emits an error. Dropping it is enough: the next call opens another.
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
