import { Client, type ClientConfig } from 'pg';
import type { Statement, StatementResult } from './statement.ts';

interface Connection {
  readonly client: Client;
  readonly ready: Promise<unknown>;
  /** So that nobody waits for a promise that is kept already. */
  isReady: boolean;
  inFlight: number;
  /** When it last answered, or was given something to do after a rest; milliseconds of a clock that never steps back. */
  aliveAt: number;
}

/** So many statements may wait on one connection before another one is used. */
const FULL = 64;
/** A connection that has not answered for so long is held up by a slow statement, and gets nothing more for now. */
const STALLED_AFTER_MS = 20;

/**
 * A few connections that are the `anon` role already and take many single statements at once, each in its own
 * implicit transaction: no checkout, no role switch, one round trip. For reads only; a statement that fails or is
 * slow hurts nobody but those queued behind it on the same connection, so the lane's statement timeout is short.
 *
 * The first connection is used as long as it keeps up. A backend that finds the next statement waiting does not go to
 * sleep in between, which under load spares each look-up a fifth of its CPU time; one process cannot send so many
 * look-ups that one backend would not keep up.
 */
export class AnonymousLane {
  #connections: Connection[] = [];
  #config: ClientConfig;
  #size: number;
  #closed = false;

  constructor(config: ClientConfig, size: number) {
    this.#config = { ...config, pipeline: true };
    this.#size = size;
  }

  /** Sends one statement at once, over the first connection that keeps up. */
  query<Row>(statement: Statement): Promise<StatementResult<Row>> {
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
        void connection.client.query<Row & object>(asQueryConfig(statement), (error, result) => {
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
    const stalledBefore = performance.now() - STALLED_AFTER_MS;
    let leastBusy: Connection | undefined;
    for (const connection of this.#connections) {
      if (connection.inFlight === 0) return connection;
      if (connection.inFlight < FULL && connection.aliveAt > stalledBefore) return connection;
      if (leastBusy === undefined || connection.inFlight < leastBusy.inFlight) leastBusy = connection;
    }
    return leastBusy === undefined || this.#connections.length < this.#size ? this.#connect() : leastBusy;
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

/** The driver's form of a statement; it wants a mutable array. */
export function asQueryConfig(statement: Statement): { name?: string; text: string; values?: unknown[] } {
  const config: { name?: string; text: string; values?: unknown[] } = { text: statement.text };
  if (statement.name !== undefined) config.name = statement.name;
  if (statement.values !== undefined) config.values = [...statement.values];
  return config;
}
