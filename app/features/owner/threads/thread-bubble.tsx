import { formatMoment } from '#app/lib/format-date.ts';
import { MessageBubble } from '#app/lib/message-bubble.tsx';
import type { Message } from '#app/lib/messages.ts';
import { discardReply, postReply, type UnsentReply } from '#app/lib/reply-outbox.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';

/** A message of a conversation, or an answer on its way, which has the id that it will have. */
export type ThreadEntry = Message | UnsentReply;

/**
 * One entry of a conversation. With its id as its key, an answer that arrives stays the same element, and is read out
 * once.
 */
export function ThreadBubble({ entry }: { readonly entry: ThreadEntry }) {
  const { item } = useMessages();
  const isUnsent = 'state' in entry;
  const isMine = isUnsent || entry.sender === 'owner';
  const isNew = !isMine && entry.readAt === null;
  return (
    <MessageBubble
      mine={isMine}
      author={isMine ? item.owner.fromOwner : item.owner.fromFinder}
      marked={isNew}
      moment={
        isUnsent ? (
          <Progress reply={entry} />
        ) : (
          <>
            <time dateTime={entry.createdAt}>{formatMoment(entry.createdAt)}</time>
            {isNew && <span className="rounded-full bg-tag px-2 font-semibold text-on-tag">{item.owner.isNew}</span>}
          </>
        )
      }
      body={entry.body}
    >
      {isUnsent && entry.state === 'refused' && <Refused reply={entry} />}
    </MessageBubble>
  );
}

interface ReplyProps {
  readonly reply: UnsentReply;
}

function Progress({ reply: { state } }: ReplyProps) {
  const { threads } = useMessages();
  return <span className={state === 'refused' ? 'font-semibold text-danger' : undefined}>{threads[state]}</span>;
}

function Refused({ reply }: ReplyProps) {
  const { threads } = useMessages();
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="outline" onClick={() => postReply(reply)}>
        {threads.sendAgain}
      </Button>
      <Button variant="quiet" onClick={() => discardReply(reply.id)}>
        {threads.discard}
      </Button>
    </div>
  );
}
