import { Client, type ClientConfig } from 'pg';
import type { ServiceLog } from '#server/log.ts';
import { endWhenSilent } from './end-when-silent.ts';

/** What a listener is told: each payload in commit order, and that some may have been missed. */
export interface NotificationListener {
  onPayload(payload: string): void;
  /** The connection was lost and is back: whatever was sent in between is gone, so re-read what matters. */
  onGap?(): void;
}

const RECONNECT_DELAY_MS = 250;
/** A connection that breaks without a word is found out by asking it this often, and waiting for no longer than that. */
const PING_EVERY_MS = 1_000;
const PING_WITHIN_MS = 1_500;

/** One connection of this process that listens to PostgreSQL notifications, and comes back when it is lost. */
export class Notifications {
  #listeners = new Map<string, Set<NotificationListener>>();
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

  /** Resolves once the channel is being listened to; the returned function stops it. Channel names are our own constants. */
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
      // Whoever asks again brings another one.
      stop();
      throw error;
    }
    return stop;
  }

  /**
   * Whether whatever was committed until about 3 s ago has been told. False while the connection is away, and until
   * the listeners have been told of the gap.
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
      this.#log.warn({ err: error }, 'The notification connection was lost; connecting again.');
      void this.#reconnect();
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    await client.connect();
    endWhenSilent(client, PING_WITHIN_MS);
    this.#client = client;
    // Statements queue on the connection in order, so a channel that is added meanwhile is listened to by its own call.
    for (const channel of this.#listeners.keys()) await client.query(`listen "${channel}"`);
    this.#pings = setInterval(pinging(client), PING_EVERY_MS);
    this.#pings.unref();
  }

  async #reconnect(): Promise<void> {
    while (!this.#closed && this.#client === undefined) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_DELAY_MS));
      try {
        await this.#connect();
      } catch (error) {
        this.#log.debug({ err: error }, 'The database does not answer yet.');
      }
    }
    if (this.#closed) return;
    this.#inGap = false;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.onGap?.();
  }
}

/** Asks nothing, so that an answer is owed; not again before it has come. */
function pinging(client: Client): () => void {
  let isOwed = false;
  return () => {
    if (isOwed) return;
    isOwed = true;
    const answered = () => {
      isOwed = false;
    };
    client.query('').then(answered, answered);
  };
}
