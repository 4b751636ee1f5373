import { Inbox } from 'lucide-react';
import { useDeferredValue, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { useRevalidator } from 'react-router';
import { type ConversationState, UNDECIDED } from '#app/data/conversation-states.ts';
import { loadedThreadView } from '#app/data/early/load-thread-view.ts';
import type { Item } from '#app/data/items.ts';
import type { Message } from '#app/data/messages.ts';
import { onDelivered, onUnsentReplies, type UnsentReply, unsentReplies } from '#app/data/reply-outbox.ts';
import { useConfirmDelivery } from '#app/data/use-confirm-delivery.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { itemPageWords } from '#words/item-page.ts';
import { useThreadVisit } from './asked-thread.ts';
import { groupThreads } from './group-threads.ts';
import { useSteadyThreads } from './steady-threads.ts';

interface ThreadListProps {
  readonly messages: readonly Message[];
  /** By conversation. */
  readonly conversations: ReadonlyMap<string, ConversationState>;
  /** By conversation. */
  readonly returnCodes: ReadonlyMap<string, string>;
  /** The messages are those of an earlier load. */
  readonly isStale: boolean;
  /** What they are about; null where nothing can be replied to or decided, because the item was given away. */
  readonly item: Item | null;
}

/**
 * The conversations about an item, the latest first. The one that the URL names is open; without such a URL the latest,
 * and each with unread messages. Nothing moves under the hand of an owner who uses them.
 */
export function ThreadList({ messages, conversations, returnCodes, isStale, item }: ThreadListProps) {
  const { owner } = useTexts().item;
  const { threads: texts } = itemPageWords(useLanguage());
  const replies = useReplies();
  const threads = groupThreads(messages);
  const visit = useThreadVisit(threads, isStale);
  const visited = visit?.conversationId ?? null;
  const [ordered, list] = useSteadyThreads(threads);
  useConfirmDelivery(messages.filter(({ sender, readAt }) => sender === 'finder' && readAt === null).length);
  const isGone = visit !== null && visited === null;
  const ThreadView = loadedThreadView();
  const gone = isGone && <GoneThread key={visit.key} text={texts.gone} />;
  if (messages.length === 0) {
    return (
      <>
        {gone}
        <div className="flex items-start gap-4 rounded-lg border-2 border-line border-dashed p-5">
          <Inbox className="mt-0.5 size-7 shrink-0 text-primary" aria-hidden="true" />
          <div className="min-w-0">
            <h3 className="font-semibold">{owner.noMessagesTitle}</h3>
            <p className="text-ink-soft text-sm">{owner.noMessagesText}</p>
          </div>
        </div>
      </>
    );
  }
  return (
    <div ref={list} className="flex flex-col gap-3">
      {gone}
      {ThreadView !== null &&
        ordered.map((thread, index) => (
          <ThreadView
            key={thread.conversationId}
            thread={thread}
            state={conversations.get(thread.conversationId) ?? UNDECIDED}
            returnCode={returnCodes.get(thread.conversationId)}
            unsent={replies.filter(({ conversationId }) => conversationId === thread.conversationId)}
            isOpenAtFirst={
              visited === null ? index === 0 || thread.unread.length > 0 : visited === thread.conversationId
            }
            visitKey={visit !== null && visited === thread.conversationId ? visit.key : null}
            item={item}
          />
        ))}
    </div>
  );
}

/** In place of the conversation that a link led to. It takes the focus, as the conversation would have. */
function GoneThread({ text }: { readonly text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={box} tabIndex={-1} className="rounded-md">
      <Alert tone="info" quiet>
        {text}
      </Alert>
    </div>
  );
}

const NONE: readonly UnsentReply[] = [];

/** Returns the owner's unsent replies. The screen is reloaded after each reply that was sent. */
function useReplies(): readonly UnsentReply[] {
  const { revalidate } = useRevalidator();
  const delivered = useEffectEvent(() => revalidate());
  useEffect(() => onDelivered(() => delivered()), []);
  const replies = useSyncExternalStore(onUnsentReplies, unsentReplies, () => NONE);
  // A sent reply disappears only once the reloaded screen is shown, which the router does in a transition.
  return useDeferredValue(replies);
}
