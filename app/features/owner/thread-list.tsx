import { Inbox } from 'lucide-react';
import type { Message } from '#app/lib/messages.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { groupThreads } from './group-threads.ts';
import { ThreadView } from './thread-view.tsx';
import { useReplies } from './use-replies.ts';

/** The conversations about an item, the one that moved last first and open. */
export function ThreadList({ messages }: { readonly messages: readonly Message[] }) {
  const { owner } = useMessages().item;
  const replies = useReplies();
  if (messages.length === 0) {
    return (
      <div className="flex flex-col items-center gap-2 rounded-lg border-2 border-line border-dashed px-6 py-10 text-center">
        <Inbox className="size-8 text-primary" aria-hidden="true" />
        <h3 className="font-semibold">{owner.noMessagesTitle}</h3>
        <p className="text-ink-soft text-sm">{owner.noMessagesText}</p>
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
          isOpenAtFirst={index === 0}
        />
      ))}
    </div>
  );
}
