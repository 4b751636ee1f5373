import type { Socket } from 'node:net';
import type { ClientBase, ClientConfig } from 'pg';

/** How to connect, and for how long PostgreSQL may owe an answer there, in milliseconds. */
export interface WatchedConfig extends ClientConfig {
  readonly silentAfterMs: number;
}

/** What the driver knows of its connection (pg/lib/client.js); its types leave it out. */
interface DriversClient {
  /** False from a statement on until it is answered. */
  readonly readyForQuery: boolean | null;
  readonly connection: { readonly stream: Socket };
}

/** An answer may have arrived while this process was held up, and be read after the clock was. */
const LAST_LOOK_MS = 100;

/**
 * Ends a connection that owes an answer and has said nothing for `silentAfterMs`: its other end is gone without a word (a
 * machine that lost its power, a path through the network that was cut). TCP alone would find out after a quarter of an
 * hour, and whoever waits for the answer, or for the place in the pool, would wait as long. The time is longer than any
 * statement may take there, so that PostgreSQL itself would have said that it was too slow.
 */
export function endWhenSilent(client: ClientBase, silentAfterMs: number): void {
  const driver = client as unknown as DriversClient;
  const { stream } = driver.connection;
  stream.setTimeout(silentAfterMs, () => {
    if (driver.readyForQuery === true) return;
    const { bytesRead } = stream;
    setTimeout(() => {
      if (driver.readyForQuery === true || stream.bytesRead > bytesRead) return;
      stream.destroy(new Error('Connection terminated: PostgreSQL does not answer.'));
    }, LAST_LOOK_MS).unref();
  });
}
