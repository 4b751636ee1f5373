import { MessageBubble } from '#app/lib/message-bubble.tsx';
import { discardReply, postReply, type UnsentReply } from '#app/lib/reply-outbox.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button } from '#app/ui/button.tsx';

/** An answer that is on its way, shown where it will stand. */
export function UnsentBubble({ reply }: { readonly reply: UnsentReply }) {
  const { item, threads } = useMessages();
  const isRefused = reply.state === 'refused';
  return (
    <MessageBubble
      mine
      author={item.owner.fromOwner}
      moment={<span className={isRefused ? 'font-semibold text-danger' : undefined}>{threads[reply.state]}</span>}
      body={reply.body}
    >
      {isRefused && (
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => postReply(reply)}>
            {threads.sendAgain}
          </Button>
          <Button variant="quiet" onClick={() => discardReply(reply.id)}>
            {threads.discard}
          </Button>
        </div>
      )}
    </MessageBubble>
  );
}
