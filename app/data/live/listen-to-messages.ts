import { backgroundClient } from '#app/client/background-client.ts';
import { liveClient } from '#app/client/live-client.ts';
import { WAITS_MS, waitAfter } from '#app/resilience/retry-policy.ts';
import { type Message, type MessageRow, toMessage } from '../messages.ts';

interface Listener {
  readonly ownerId: string;
  readonly onMessage: (message: Message) => void;
  readonly onChange: (message: Message) => void;
  /** With the id of the item. */
  readonly onOpening: ((itemId: string) => void) | undefined;
  readonly onMissed: () => void;
  /** From when on news may have been missed at first: server time, ISO 8601. */
  readonly since: () => string;
}

/**
 * Subscribes to new and changed messages to this owner and to contact methods that finders open. Returns a function that
 * ends it. Without a connection it tries again with growing waits, and then calls `onMissed`.
 */
export function listenToMessages({ ownerId, onMessage, onChange, onOpening, onMissed, since }: Listener): () => void {
  let leave = () => {};
  let isFirst = true;
  let stopped = false;
  let closings = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const filter = `owner_id=eq.${ownerId}`;

  const catchUp = async () => {
    if (await hasNews({ ownerId, time: since() }, { withOpenings: onOpening !== undefined })) onMissed();
  };
  const listen = async () => {
    const client = await liveClient();
    // The client reads its token in the background, and a channel that joins before would join as a visitor.
    await client.setAuth();
    if (stopped) return;
    const channel = client
      .channel(`messages-of-${ownerId}`)
      .on<MessageRow>('postgres_changes', { event: 'INSERT', schema: 'public', table: 'messages', filter }, (change) =>
        onMessage(toMessage(change.new)),
      )
      .on<MessageRow>('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'messages', filter }, (change) =>
        onChange(toMessage(change.new)),
      )
      .on<{ item_id: string }>(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'channel_openings', filter },
        (change) => onOpening?.(change.new.item_id),
      )
      .subscribe((status) => {
        // The server closes a channel whose token has expired, and the client does not join it again.
        if (status === 'CLOSED' && !stopped) listenAgain();
        if (status !== 'SUBSCRIBED') return;
        closings = 0;
        // At first, only the time since the screen was loaded is uncovered.
        if (isFirst) void catchUp();
        else onMissed();
        isFirst = false;
      });
    leave = () => void client.removeChannel(channel);
  };
  const listenAgain = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void listen().catch(listenAgain), waitAfter(closings, WAITS_MS.background));
    closings += 1;
  };

  // The socket may take longer to return than the browser's connection.
  const onOnline = () => void catchUp().catch(() => {});
  addEventListener('online', onOnline);
  // The client reconnects by itself, once its library is there.
  void listen().catch(listenAgain);
  return () => {
    stopped = true;
    removeEventListener('online', onOnline);
    clearTimeout(timer);
    leave();
  };
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
  const client = await backgroundClient();
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
