import { useEffect, useEffectEvent } from 'react';
import { browserClient } from './browser-client.ts';
import { type Message, type MessageRow, toMessage } from './messages.ts';

interface LiveMessages {
  readonly ownerId: string;
  /** A message has arrived while this screen was open. */
  readonly onMessage: (message: Message) => void;
  /** A finder has chosen a way to reach the owner of this item, by its id. */
  readonly onOpening?: (itemId: string) => void;
  /** The line is up, for the first time or again: what came before may have been missed. */
  readonly onConnect: () => void;
}

/** Hears of every new message to this owner, and of every way to them that a finder opens, for as long as the component is there. */
export function useLiveMessages({ ownerId, onMessage, onOpening, onConnect }: LiveMessages): void {
  const message = useEffectEvent(onMessage);
  const opening = useEffectEvent((itemId: string) => onOpening?.(itemId));
  const connect = useEffectEvent(onConnect);

  useEffect(() => {
    let stop = () => {};
    let stopped = false;
    const listen = async () => {
      const client = await browserClient();
      // The client looks its token up in the background, and a channel that joins before it is there is a visitor's.
      await client.realtime.setAuth();
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
          if (status === 'SUBSCRIBED') connect();
        });
      stop = () => void client.removeChannel(channel);
    };
    // The client tries again by itself; without its library there is no screen to be live either.
    listen().catch(() => {});
    return () => {
      stopped = true;
      stop();
    };
  }, [ownerId]);
}
