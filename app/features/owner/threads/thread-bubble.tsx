import type { Message } from '#app/data/messages.ts';
import { discardReply, postReply, type UnsentReply } from '#app/data/reply-outbox.ts';
import { formatMoment } from '#app/i18n/format-date.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { MessageBubble } from '#app/item/message-bubble.tsx';
import { Button } from '#app/ui/button.tsx';

/** A message of a conversation, or an unsent reply, which already has its id. */
export type ThreadEntry = Message | UnsentReply;

/** An entry of a conversation. Keyed by id, a reply that gets sent stays the same element and is announced once. */
export function ThreadBubble({ entry }: { readonly entry: ThreadEntry }) {
  const { item } = useTexts();
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
  const { threads } = useTexts();
  return <span className={state === 'refused' ? 'font-semibold text-danger' : undefined}>{threads[state]}</span>;
}

function Refused({ reply }: ReplyProps) {
  const { threads } = useTexts();
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
