import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { endWhenSilent } from './end-when-silent.ts';
import { PrimaryClient, type PrimaryClientConfig } from './primary-client.ts';

/** Receives notifications: each payload in commit order, and that some may have been missed. */
export interface NotificationListener {
  onPayload(payload: string): void;
  /** The connection was lost and is back. Notifications in between are lost, so read again what matters. */
  onGap?(): void;
}

/** The time between two attempts to connect, or to take a lock. */
const RETRY_DELAY_MS = 250;
/**
 * How often the connection is checked, and for how long a response is awaited, so that one that broke silently is
 * noticed.
 */
const PING_EVERY_MS = 1_000;
const PING_WITHIN_MS = 1_500;

/** The timeout of statements on the connection: shorter than the wait for a response. */
export const LISTENING_STATEMENT_TIMEOUT_MS = 1_000;
/**
 * PostgreSQL ends a session from which no ping arrives, or whose client acknowledges nothing. Otherwise a session whose
 * network path broke would keep its connection and its locks for up to 2 hours.
 */
export const LISTENING_SETTINGS = ['-c idle_session_timeout=10000', '-c tcp_user_timeout=10000'] as const;

/**
 * One connection of this process that listens for notifications, holds its locks, and reconnects when it is lost.
 */
export class Notifications {
  #listeners = new Map<string, Set<NotificationListener>>();
  /** The names of the locks, and what is settled once each was taken for the first time. */
  #locks = new Map<string, PromiseWithResolvers<void>>();
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #reconnecting: Promise<void> | undefined;
  #closed = false;
  #inGap = false;
  #config: PrimaryClientConfig;
  #log: ServiceLog;
  #pings: NodeJS.Timeout | undefined;

  constructor(config: PrimaryClientConfig, log: ServiceLog) {
    this.#config = config;
    this.#log = log;
  }

  /** Resolves once it listens to the channel. The returned function stops. Channel names must be constants. */
  async listen(channel: string, listener: NotificationListener): Promise<() => void> {
    let listeners = this.#listeners.get(channel);
    if (listeners === undefined) {
      listeners = new Set();
      this.#listeners.set(channel, listeners);
    }
    listeners.add(listener);
    const stop = () => listeners.delete(listener);
    try {
      if (this.#client === undefined) await this.#connect();
      else await this.#client.query(`listen "${channel}"`);
    } catch (error) {
      // A caller that retries adds a new listener.
      stop();
      throw error;
    }
    return stop;
  }

  /**
   * Resolves once this process holds the advisory lock of that name, which it must not hold already. A lost connection
   * loses the lock, and the next one takes it again. The returned function releases it.
   */
  async hold(lock: string): Promise<() => Promise<void>> {
    const held = Promise.withResolvers<void>();
    this.#locks.set(lock, held);
    try {
      // A new connection takes every lock.
      if (this.#client === undefined) await this.#connect();
      else void this.#takeLock(this.#client, lock, held);
      await held.promise;
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

  /** The connection while it is hearing. A statement on it comes after every notification that has arrived. */
  get connection(): Client | undefined {
    return this.isHearing ? this.#client : undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pings);
    for (const held of this.#locks.values()) held.reject(new Error('The notification connection was closed.'));
    await this.#client?.end().catch(() => undefined);
  }

  #connect(): Promise<void> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<void> {
    const client = new PrimaryClient({ ...this.#config, pipeline: true });
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener.onPayload(payload ?? '');
    });
    const onLost = (error?: Error) => {
      // Before it is in use, the failing statement reports it.
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#inGap = true;
      clearInterval(this.#pings);
      if (this.#closed) return;
      this.#log.warn({ err: error }, 'The notification connection was lost; reconnecting.');
      this.#reconnecting ??= this.#reconnect().finally(() => {
        this.#reconnecting = undefined;
      });
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    try {
      await client.connect();
      endWhenSilent(client, PING_WITHIN_MS);
      // Includes channels that are added in the meantime.
      for (const channel of this.#listeners.keys()) await client.query(`listen "${channel}"`);
      if (this.#closed) throw new Error('The notification connection was closed.');
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    this.#pings = setInterval(pinging(client), PING_EVERY_MS);
    this.#pings.unref();
    for (const [lock, held] of this.#locks) void this.#takeLock(client, lock, held);
  }

  /**
   * Takes the lock on a new connection. The session before it may hold the lock for some seconds more, and a statement
   * that waited for it could not hear whether its own client is still there.
   */
  async #takeLock(client: Client, lock: string, held: PromiseWithResolvers<void>): Promise<void> {
    while (!this.#closed && this.#client === client && this.#locks.get(lock) === held) {
      try {
        const { rows } = await client.query<{ taken: boolean }>(
          `select pg_try_advisory_lock(${lockKey('$1')}) as taken`,
          [lock],
        );
        if (rows[0]?.taken === true) return held.resolve();
      } catch (error) {
        this.#log.debug({ err: error, lock }, 'A lock could not be taken; it will be retried.');
      }
      await pause(RETRY_DELAY_MS, undefined, { ref: false });
    }
  }

  async #reconnect(): Promise<void> {
    const reasons = new Set<string>();
    for (;;) {
      await pause(RETRY_DELAY_MS);
      // A caller that began to listen meanwhile has connected.
      if (this.#closed || this.#client !== undefined) break;
      try {
        await this.#connect();
      } catch (error) {
        // For the operator: why none of several servers is the primary, for example. Each reason once in an outage.
        const reason = `${error} ${error instanceof Error && 'code' in error ? error.code : ''}`;
        if (this.#closed || reasons.has(reason)) continue;
        reasons.add(reason);
        this.#log.warn({ err: error }, 'The database cannot be reached yet.');
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
