import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type RealtimeChannel, RealtimeClient, type WebSocketLikeConstructor } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import type { BenchmarkService } from './start-service.ts';

interface OwnerOptions extends Pick<BenchmarkService, 'port' | 'publishableKey'> {
  readonly owner: string;
  readonly token: string;
  /** The network address that limits count by. */
  readonly address: string;
}

/**
 * An owner with an open dashboard: the official client subscribes to new messages, and reads all of them when it
 * connects.
 */
export class OwnerOnline {
  /** Failed reads of all owners. */
  static refusals = 0;
  readonly id: string;
  readonly seen = new Set<string>();
  #options: OwnerOptions;
  #client: RealtimeClient;
  #channel: RealtimeChannel;
  #back = Promise.withResolvers<number>();

  constructor(options: OwnerOptions) {
    const { owner, token, address, port, publishableKey } = options;
    this.id = owner;
    this.#options = options;
    this.#client = new RealtimeClient(`ws://127.0.0.1:${port}/realtime/v1`, {
      params: { apikey: publishableKey },
      accessToken: async () => token,
      transport: transportFrom(address),
    });
    this.#channel = this.#client.channel(`messages-of-${owner}`);
    void this.#connect();
  }

  /** Resolves with the time at which all existing messages have been read, counted from `expectAnew`. */
  back(): Promise<number> {
    return this.#back.promise;
  }

  expectAnew(): void {
    this.#back = Promise.withResolvers();
  }

  async goOffline(): Promise<void> {
    await this.#client.disconnect();
  }

  async #connect(): Promise<void> {
    await this.#client.setAuth();
    const changes = { event: 'INSERT', schema: 'public', table: 'messages', filter: `owner_id=eq.${this.id}` } as const;
    this.#channel
      .on<{ id: string }>('postgres_changes', changes, (change) => this.seen.add(change.new.id))
      .subscribe((status) => {
        if (status === 'SUBSCRIBED') void this.#read();
      });
  }

  async #read(): Promise<void> {
    const { port, publishableKey, token, address } = this.#options;
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/rest/v1/messages?select=id&owner_id=eq.${this.id}`, {
        headers: { apikey: publishableKey, Authorization: `Bearer ${token}`, 'X-Forwarded-For': address },
      }).catch(() => null);
      if (response?.ok) {
        for (const { id } of (await response.json()) as { id: string }[]) this.seen.add(id);
        this.#back.resolve(performance.now());
        return;
      }
      OwnerOnline.refusals += 1;
      await response?.body?.cancel();
      await pause(1_000);
    }
  }
}

function transportFrom(address: string): WebSocketLikeConstructor {
  class Transport extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { 'X-Forwarded-For': address } });
    }
  }
  // The types of ws and of the browser differ only in an event's target, which the client does not use.
  return Transport as unknown as WebSocketLikeConstructor;
}
