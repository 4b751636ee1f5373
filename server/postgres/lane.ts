import { Client, type ClientConfig } from 'pg';

interface Connection {
  readonly client: Client;
  readonly ready: Promise<unknown>;
  /** So that nobody waits for a promise that is kept already. */
  isReady: boolean;
  inFlight: number;
  /** When it last answered, or was given something to do after a rest; milliseconds of a clock that never steps back. */
  aliveAt: number;
}

export interface LaneOptions {
  readonly connections: number;
  /** So many calls may wait on one connection before another one is used. */
  readonly full: number;
}

/** Sends a call over a connection and hands on the driver's answer. */
type Send<Result> = (client: Client, done: (error: Error | null | undefined, result: Result) => void) => void;

/** A connection that has not answered for so long is held up by a slow statement, and gets nothing more for now. */
const STALLED_AFTER_MS = 20;

/**
 * A few connections that take many calls at once, each a transaction of its own that is sent whole: no checkout, one
 * round trip. For reads only; a call that fails or is slow hurts nobody but those queued behind it on the same
 * connection.
 *
 * The first connection is used as long as it keeps up. A backend that finds the next statement waiting does not go to
 * sleep in between, and who sends it wakes nobody up, which under load spares a call a third of its CPU time; one process
 * cannot send so many quick reads that one backend would not keep up.
 */
export class Lane {
  #connections: Connection[] = [];
  #config: ClientConfig;
  #options: LaneOptions;
  #closed = false;

  constructor(config: ClientConfig, options: LaneOptions) {
    this.#config = { ...config, pipeline: true };
    this.#options = options;
  }

  /** Sends one call at once, over the first connection that keeps up. */
  send<Result>(start: Send<Result>): Promise<Result> {
    const connection = this.#choose();
    if (connection.inFlight === 0) connection.aliveAt = performance.now();
    connection.inFlight += 1;
    // One promise for the whole way: the driver's own and those of async functions are a tenth of a look-up here.
    return new Promise((resolve, reject) => {
      const answered = () => {
        connection.inFlight -= 1;
        connection.aliveAt = performance.now();
      };
      const fail = (error: unknown) => {
        answered();
        reject(error);
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

  #choose(): Connection {
    const { connections, full } = this.#options;
    const stalledBefore = performance.now() - STALLED_AFTER_MS;
    let leastBusy: Connection | undefined;
    for (const connection of this.#connections) {
      if (connection.inFlight === 0) return connection;
      if (connection.inFlight < full && connection.aliveAt > stalledBefore) return connection;
      if (leastBusy === undefined || connection.inFlight < leastBusy.inFlight) leastBusy = connection;
    }
    return leastBusy === undefined || this.#connections.length < connections ? this.#connect() : leastBusy;
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
    }, forget);
    this.#connections.push(connection);
    return connection;
  }
}
