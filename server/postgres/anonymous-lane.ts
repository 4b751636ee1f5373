import { Client, type ClientConfig } from 'pg';
import type { Statement, StatementResult } from './statement.ts';

interface Connection {
  readonly client: Client;
  readonly ready: Promise<unknown>;
  inFlight: number;
}

/**
 * A few connections that are the `anon` role already and take many single statements at once, each in its own
 * implicit transaction: no checkout, no role switch, one round trip. For reads only; a statement that fails or is
 * slow hurts nobody but those queued behind it on the same connection, so the lane's statement timeout is short.
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

  /** Sends one statement at once over the connection with the fewest in flight. */
  async query<Row>(statement: Statement): Promise<StatementResult<Row>> {
    const connection = this.#leastBusy();
    connection.inFlight += 1;
    try {
      await connection.ready;
      return await connection.client.query<Row & object>(asQueryConfig(statement));
    } finally {
      connection.inFlight -= 1;
    }
  }

  /** Waits for what is in flight, then closes every connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#connections.map(({ client }) => client.end().catch(() => undefined)));
  }

  #leastBusy(): Connection {
    let best: Connection | undefined;
    for (const connection of this.#connections) {
      if (best === undefined || connection.inFlight < best.inFlight) best = connection;
    }
    if (best === undefined || (best.inFlight > 0 && this.#connections.length < this.#size)) {
      best = this.#connect();
    }
    return best;
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
    ready.catch(forget);
    const connection: Connection = { client, ready, inFlight: 0 };
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
