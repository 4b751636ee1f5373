import type { RealtimeChannel, RealtimeChannelOptions, SupabaseClient } from '@supabase/supabase-js';

interface Heard {
  readonly event: string;
  readonly payload: Record<string, unknown>;
  readonly meta?: unknown;
}

/** A channel of the official client that records broadcasts. */
export interface Hearing {
  readonly channel: RealtimeChannel;
  readonly heard: Heard[];
  /** Resolves once this many have arrived. */
  until(count: number): Promise<void>;
}

/** Joins and resolves once it has; rejects with the reason against it. */
export async function hear(
  client: SupabaseClient,
  topic: string,
  config: RealtimeChannelOptions['config'] = {},
): Promise<Hearing> {
  // The client reads its token in the background, and a channel that joins before would join as a visitor.
  await client.realtime.setAuth();
  const channel = client.channel(topic, { config });
  const heard: Heard[] = [];
  let look: () => void = () => undefined;
  channel.on('broadcast', { event: '*' }, (message) => {
    heard.push(message as unknown as Heard);
    look();
  });
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve();
      else reject(error ?? new Error(status));
    });
  });
  return {
    channel,
    heard,
    until: (count) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`Only this came: ${JSON.stringify(heard)}`)), 20_000);
        look = () => {
          if (heard.length < count) return;
          clearTimeout(late);
          resolve();
        };
        look();
      }),
  };
}
