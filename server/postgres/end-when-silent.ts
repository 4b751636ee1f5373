import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import type { PrimaryClientConfig } from './primary-client.ts';

/** How to connect, and how long PostgreSQL may take to respond on the connection, in milliseconds. */
export interface WatchedConfig extends PrimaryClientConfig {
  readonly silentAfterMs: number;
}

/** The driver's state of a connection (pg/lib/client.js), which its types omit. */
interface DriversClient {
  /** False while a statement awaits its response. */
  readonly readyForQuery: boolean | null;
  readonly connection: { readonly stream: Socket };
}

/** A response may have arrived while this process was busy, and is then read after the timer has fired. */
const LAST_LOOK_MS = 100;

/**
 * Closes a connection that awaits a response and has received nothing for `silentAfterMs`: the other end has gone
 * without notice, after a power failure or a broken network path.
 *
 * TCP alone would notice after about 15 minutes, and the request and its place in the pool would wait as long. The time
 * is longer than any statement timeout on the connection, so PostgreSQL itself would have reported a slow statement.
 */
export function endWhenSilent(client: ClientBase, silentAfterMs: number): void {
  const driver = asDrivers(client);
  const { stream } = driver.connection;
  // A callback of `setTimeout` would be called once, and an idle connection also times out.
  stream.on('timeout', () => {
    if (driver.readyForQuery === true) return;
    const { bytesRead } = stream;
    setTimeout(() => {
      if (driver.readyForQuery === true || stream.bytesRead > bytesRead) return;
      stream.destroy(new Error('Connection terminated: PostgreSQL does not respond.'));
    }, LAST_LOOK_MS).unref();
  });
  stream.setTimeout(silentAfterMs);
}

/** Changes that time for the next statements, which have another statement timeout. */
export function mayBeSilentFor(client: ClientBase, ms: number): void {
  const { stream } = asDrivers(client).connection;
  if (stream.timeout !== ms) stream.setTimeout(ms);
}

function asDrivers(client: ClientBase): DriversClient {
  return client as unknown as DriversClient;
}
