import { useEffect, useEffectEvent } from 'react';
import { whenIdle } from '#app/ui/when-idle.ts';
import { browserClient } from './browser-client.ts';
import { liveClient } from './live-client.ts';
import { type Message, type MessageRow, toMessage } from './messages.ts';
import { useServerTime } from './server-time.ts';

interface LiveMessages {
  readonly ownerId: string;
  /** A message has arrived while this screen was open. */
  readonly onMessage: (message: Message) => void;
  /** A finder has chosen a way to reach the owner of this item, by its id. */
  readonly onOpening?: (itemId: string) => void;
  /** Something came, or may have come, while this screen could not hear of it. */
  readonly onMissed: () => void;
  /** When what the screen shows was asked for, as `performance.now()` counts. */
  readonly loadedAt: number;
}

/** Hears of every new message to this owner, and of every way to them that a finder opens, for as long as the component is there. */
export function useLiveMessages({ ownerId, onMessage, onOpening, onMissed, loadedAt }: LiveMessages): void {
  const message = useEffectEvent(onMessage);
  const opening = useEffectEvent((itemId: string) => onOpening?.(itemId));
  const missed = useEffectEvent(onMissed);
  const serverTime = useServerTime();
  const catchUp = useEffectEvent(async () => {
    const since = { ownerId, time: serverTime(loadedAt) };
    if (await hasNews(since, { withOpenings: onOpening !== undefined })) onMissed();
  });

  useEffect(() => {
    let stop = () => {};
    let isFirst = true;
    let stopped = false;
    const listen = async () => {
      const client = await liveClient();
      // The client looks its token up in the background, and a channel that joins before it is there is a visitor's.
      await client.setAuth();
      if (stopped) return;
      const channel = client
        .channel(`messages-of-${ownerId}`)
        .on<MessageRow>(
          'postgres_changes',
          { event: 'INSERT', schema: 'public', table: 'messages', filter: `owner_id=eq.${ownerId}` },
          (change) => message(toMessage(change.new)),
        )
        .on<{ item_id: string }>(
          'postgres_changes',
          { event: 'INSERT', schema: 'public', table: 'channel_openings', filter: `owner_id=eq.${ownerId}` },
          (change) => opening(change.new.item_id),
        )
        .subscribe((status) => {
          if (status !== 'SUBSCRIBED') return;
          // The first time only the moments since the screen was loaded are in doubt.
          if (isFirst) void catchUp();
          else missed();
          isFirst = false;
        });
      stop = () => void client.removeChannel(channel);
    };
    // The client tries again by itself; without its library there is no screen to be live either.
    const stopIdle = whenIdle(() => void listen().catch(() => {}));
    return () => {
      stopped = true;
      stopIdle();
      stop();
    };
  }, [ownerId]);
}

interface Since {
  readonly ownerId: string;
  readonly time: string;
}

/** Whether a finder has written, or opened a way, since then. True where that cannot be asked. */
async function hasNews({ ownerId, time }: Since, { withOpenings }: { withOpenings: boolean }): Promise<boolean> {
  const client = await browserClient();
  const answers = await Promise.all([
    client.from('messages').select('id').eq('owner_id', ownerId).gt('created_at', time).limit(1),
    ...(withOpenings
      ? [client.from('channel_openings').select('id').eq('owner_id', ownerId).gt('opened_at', time).limit(1)]
      : []),
  ]);
  return answers.some(({ data }) => data === null || data.length > 0);
}
