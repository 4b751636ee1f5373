import { useEffect, useEffectEvent } from 'react';
import { useRouteLoaderData } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { liveClient } from '#app/client/live-client.ts';
import { WAITS_MS, waitAfter } from '#app/resilience/retry-policy.ts';
import { whenIdle } from '#app/ui/when-idle.ts';
import { type Message, type MessageRow, toMessage } from './messages.ts';

interface LiveMessages {
  readonly ownerId: string;
  /** A message arrived while this screen was open. */
  readonly onMessage: (message: Message) => void;
  /** A photo may have followed this message. */
  readonly onPhoto?: (message: Message) => void;
  /** A finder opened a contact method of this item, given by its id. */
  readonly onOpening?: (itemId: string) => void;
  /** Something arrived, or may have arrived, while this screen was not subscribed. */
  readonly onMissed: () => void;
  /** When the screen's data was requested, as `performance.now()`. */
  readonly loadedAt: number;
}

/**
 * Subscribes to new messages to this owner and to contact methods that finders open, while the component is mounted.
 */
export function useLiveMessages({ ownerId, onMessage, onPhoto, onOpening, onMissed, loadedAt }: LiveMessages): void {
  const message = useEffectEvent(onMessage);
  const photo = useEffectEvent((changed: Message) => onPhoto?.(changed));
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
    let closings = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = async () => {
      const client = await liveClient();
      // The client reads its token in the background, and a channel that joins before would join as a visitor.
      await client.setAuth();
      if (stopped) return;
      const channel = client
        .channel(`messages-of-${ownerId}`)
        .on<MessageRow>(
          'postgres_changes',
          { event: 'INSERT', schema: 'public', table: 'messages', filter: `owner_id=eq.${ownerId}` },
          (change) => message(toMessage(change.new)),
        )
        .on<MessageRow>(
          'postgres_changes',
          { event: 'UPDATE', schema: 'public', table: 'messages', filter: `owner_id=eq.${ownerId}` },
          (change) => change.new.photo && photo(toMessage(change.new)),
        )
        .on<{ item_id: string }>(
          'postgres_changes',
          { event: 'INSERT', schema: 'public', table: 'channel_openings', filter: `owner_id=eq.${ownerId}` },
          (change) => opening(change.new.item_id),
        )
        .subscribe((status) => {
          // The server closes a channel whose token has expired, and the client does not join it again.
          if (status === 'CLOSED' && !stopped) listenAgain();
          if (status !== 'SUBSCRIBED') return;
          closings = 0;
          // At first, only the time since the screen was loaded is uncovered.
          if (isFirst) void catchUp();
          else missed();
          isFirst = false;
        });
      stop = () => void client.removeChannel(channel);
    };
    const listenAgain = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void listen().catch(listenAgain), waitAfter(closings, WAITS_MS.background));
      closings += 1;
    };
    // The client reconnects by itself. Where its library cannot be loaded, the screen works without live changes.
    const stopIdle = whenIdle(() => void listen().catch(() => {}));
    return () => {
      stopped = true;
      stopIdle();
      clearTimeout(timer);
      stop();
    };
  }, [ownerId]);
}

interface Since {
  readonly ownerId: string;
  readonly time: string;
}

/**
 * Whether a finder has written or opened a contact method since then. True where that cannot be determined. False where
 * the owner has signed out: the screen is about to close, and a visitor's request would be refused.
 */
async function hasNews({ ownerId, time }: Since, { withOpenings }: { withOpenings: boolean }): Promise<boolean> {
  const client = await browserClient();
  const { data: own } = await client.auth.getSession();
  if (own.session?.user.id !== ownerId) return false;
  const responses = await Promise.all([
    client.from('messages').select('id').eq('owner_id', ownerId).gt('created_at', time).limit(1),
    ...(withOpenings
      ? [client.from('channel_openings').select('id').eq('owner_id', ownerId).gt('opened_at', time).limit(1)]
      : []),
  ]);
  return responses.some(({ data }) => data === null || data.length > 0);
}

/** Maximum difference between the clocks of the server and the database, in milliseconds. */
const CLOCKS_APART_MS = 10_000;

/**
 * Returns a function that converts a `performance.now()` moment to server time (ISO 8601). The result is never later
 * than the real time, even if this machine's clock is wrong.
 */
function useServerTime(): (moment: number) => string {
  const root = useRouteLoaderData<{ readonly sentAt: number }>('root');
  if (root === undefined) throw new Error('The root has not loaded the time.');
  return (moment) => {
    const [navigation] = performance.getEntriesByType('navigation');
    // The server wrote the document before its first byte arrived here.
    const sentBefore = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0;
    return new Date(root.sentAt + moment - sentBefore - CLOCKS_APART_MS).toISOString();
  };
}
