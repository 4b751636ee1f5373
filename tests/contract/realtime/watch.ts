import type { RealtimeChannel, RealtimePostgresChangesPayload, SupabaseClient } from '@supabase/supabase-js';

type Payload = RealtimePostgresChangesPayload<Record<string, unknown>>;

interface Asked {
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  readonly schema: string;
  readonly table?: string;
  readonly filter?: string;
  readonly select?: string[];
}

/** A channel of the official client that records changes. */
export interface Watch {
  readonly channel: RealtimeChannel;
  readonly payloads: Payload[];
  readonly statuses: string[];
  readonly system: { extension: string; status: string; message: string; channel: string }[];
  /** Resolves once this many payloads have arrived. */
  until(count: number): Promise<Payload[]>;
  /** Resolves once the condition holds; it is checked after each payload. */
  when(condition: () => boolean): Promise<void>;
}

let names = 0;

/** Subscribes, and resolves once the server has reported that the subscription is active or refused. */
export async function watch(client: SupabaseClient, ...asked: Asked[]): Promise<Watch> {
  // The client reads its token in the background, and a channel that joins before would join as a visitor.
  await client.realtime.setAuth();
  names += 1;
  const channel = client.channel(`watch-${names}`);
  const payloads: Payload[] = [];
  const statuses: string[] = [];
  const system: Watch['system'] = [];
  const waiting = new Set<() => void>();
  const came = () => {
    for (const look of [...waiting]) look();
  };
  for (const part of asked) {
    // The client's overloads take one literal event each.
    channel.on('postgres_changes' as 'system', part as never, (payload) => {
      payloads.push(payload as unknown as Payload);
      came();
    });
  }
  channel.on('system', {}, (message) => {
    system.push(message as Watch['system'][number]);
    came();
  });
  channel.subscribe((status) => {
    statuses.push(status);
    came();
  });
  const when = (condition: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`It did not come. ${JSON.stringify({ statuses, system, payloads })}`));
      }, 20_000);
      const look = () => {
        if (!condition()) return;
        waiting.delete(look);
        clearTimeout(late);
        resolve();
      };
      waiting.add(look);
      look();
    });
  await when(() => system.length > 0 || statuses.some((status) => status !== 'SUBSCRIBED'));
  return {
    channel,
    payloads,
    statuses,
    system,
    when,
    until: async (count) => {
      await when(() => payloads.length >= count);
      return payloads;
    },
  };
}
