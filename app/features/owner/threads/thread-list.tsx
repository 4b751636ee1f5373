import { Inbox } from 'lucide-react';
import type { Message } from '#app/lib/messages.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { groupThreads } from './group-threads.ts';
import { ThreadView } from './thread-view.tsx';
import { useReplies } from './use-replies.ts';

/** The conversations about an item, the one that moved last first. It is open, and so is each with an unread message. */
export function ThreadList({ messages }: { readonly messages: readonly Message[] }) {
  const { owner } = useMessages().item;
  const replies = useReplies();
  if (messages.length === 0) {
    return (
      <div className="flex items-start gap-4 rounded-lg border-2 border-line border-dashed p-5">
        <Inbox className="mt-0.5 size-7 shrink-0 text-primary" aria-hidden="true" />
        <div className="min-w-0">
          <h3 className="font-semibold">{owner.noMessagesTitle}</h3>
          <p className="text-ink-soft text-sm">{owner.noMessagesText}</p>
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {groupThreads(messages).map((thread, index) => (
        <ThreadView
          key={thread.conversationId}
          thread={thread}
          unsent={replies.filter(({ conversationId }) => conversationId === thread.conversationId)}
          isOpenAtFirst={index === 0 || thread.unread.length > 0}
        />
      ))}
    </div>
  );
}
