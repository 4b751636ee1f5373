import { Client, type ClientConfig } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { endWhenSilent } from './end-when-silent.ts';

/** Receives notifications: each payload in commit order, and that some may have been missed. */
export interface NotificationListener {
  onPayload(payload: string): void;
  /** The connection was lost and is back. Notifications in between are lost, so read again what matters. */
  onGap?(): void;
}

const RECONNECT_DELAY_MS = 250;
/**
 * How often the connection is checked, and for how long a response is awaited, so that one that broke silently is
 * noticed.
 */
const PING_EVERY_MS = 1_000;
const PING_WITHIN_MS = 1_500;

/**
 * One connection of this process that listens for notifications, holds its locks, and reconnects when it is lost.
 */
export class Notifications {
  #listeners = new Map<string, Set<NotificationListener>>();
  /** The names of the locks, and the connection on which each was taken. */
  #locks = new Map<string, Client | undefined>();
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #closed = false;
  #inGap = false;
  #config: ClientConfig;
  #log: ServiceLog;
  #pings: NodeJS.Timeout | undefined;

  constructor(config: ClientConfig, log: ServiceLog) {
    this.#config = config;
    this.#log = log;
  }

  /** Resolves once it listens to the channel. The returned function stops. Channel names must be constants. */
  async listen(channel: string, listener: NotificationListener): Promise<() => void> {
    let listeners = this.#listeners.get(channel);
    const isNew = listeners === undefined;
    if (listeners === undefined) {
      listeners = new Set();
      this.#listeners.set(channel, listeners);
    }
    listeners.add(listener);
    const stop = () => listeners.delete(listener);
    try {
      if (this.#client === undefined) await this.#connect();
      else if (isNew) await this.#client.query(`listen "${channel}"`);
    } catch (error) {
      // A caller that retries adds a new listener.
      stop();
      throw error;
    }
    return stop;
  }

  /**
   * Resolves once this process holds the advisory lock of that name. A lost connection loses it, and takes it again
   * once it is back. The returned function releases it.
   */
  async hold(lock: string): Promise<() => Promise<void>> {
    this.#locks.set(lock, undefined);
    try {
      if (this.#client === undefined) await this.#connect();
      if (this.#client !== undefined) await this.#takeLock(this.#client, lock);
    } catch (error) {
      this.#locks.delete(lock);
      throw error;
    }
    return async () => {
      this.#locks.delete(lock);
      // A lost connection has released it.
      await this.#client?.query(`select pg_advisory_unlock(${lockKey('$1')})`, [lock]).catch(() => undefined);
    };
  }

  /**
   * Whether everything committed until about 3 s ago has been delivered. False while disconnected, and until listeners
   * have been notified of the gap.
   */
  get isHearing(): boolean {
    return this.#client !== undefined && !this.#inGap;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pings);
    await this.#client?.end().catch(() => undefined);
  }

  #connect(): Promise<void> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<void> {
    const client = new Client({ ...this.#config, keepAlive: true, pipeline: true });
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener.onPayload(payload ?? '');
    });
    let lost = false;
    const onLost = (error?: Error) => {
      if (lost || this.#client !== client) return;
      lost = true;
      this.#client = undefined;
      this.#inGap = true;
      clearInterval(this.#pings);
      if (this.#closed) return;
      this.#log.warn({ err: error }, 'The notification connection was lost; reconnecting.');
      void this.#reconnect();
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    await client.connect();
    endWhenSilent(client, PING_WITHIN_MS);
    this.#client = client;
    // Statements on a connection run in order, so a channel added in the meantime is subscribed by its own call.
    for (const channel of this.#listeners.keys()) await client.query(`listen "${channel}"`);
    for (const lock of this.#locks.keys()) await this.#takeLock(client, lock);
    this.#pings = setInterval(pinging(client), PING_EVERY_MS);
    this.#pings.unref();
  }

  async #takeLock(client: Client, lock: string): Promise<void> {
    if (this.#locks.get(lock) === client) return;
    this.#locks.set(lock, client);
    await client.query(`select pg_advisory_lock(${lockKey('$1')})`, [lock]);
  }

  async #reconnect(): Promise<void> {
    while (!this.#closed && this.#client === undefined) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_DELAY_MS));
      try {
        await this.#connect();
      } catch (error) {
        this.#log.debug({ err: error }, 'The database does not respond yet.');
      }
    }
    if (this.#closed) return;
    this.#inGap = false;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.onGap?.();
  }
}

/** Returns the SQL of an advisory lock's key, for the SQL of its name. */
export function lockKey(name: string): string {
  return `hashtextextended(${name}::text, 0)`;
}

/** Sends an empty query to provoke a response, and not another before it has arrived. */
function pinging(client: Client): () => void {
  let isOwed = false;
  return () => {
    if (isOwed) return;
    isOwed = true;
    const responded = () => {
      isOwed = false;
    };
    client.query('').then(responded, responded);
  };
}
