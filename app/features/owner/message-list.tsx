import { Inbox } from 'lucide-react';
import { formatMoment } from '#app/lib/format-date.ts';
import type { Message } from '#app/lib/messages.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { classNames } from '#app/ui/class-names.ts';

/** What was written about an item, newest first. Text only: a link in it is not one. */
export function MessageList({ messages }: { readonly messages: readonly Message[] }) {
  const { owner } = useMessages().item;
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
    <ol className="flex flex-col gap-3" aria-live="polite">
      {messages.map((message) => (
        <MessageBubble key={message.id} message={message} />
      ))}
    </ol>
  );
}

function MessageBubble({ message }: { readonly message: Message }) {
  const { owner } = useMessages().item;
  const fromFinder = message.sender === 'finder';
  const isNew = fromFinder && message.readAt === null;
  return (
    <li
      className={classNames(
        'flex max-w-[92%] flex-col gap-1 rounded-lg border px-4 py-3',
        fromFinder ? 'self-start rounded-ss-sm bg-surface' : 'self-end rounded-ee-sm bg-primary-soft',
        isNew ? 'border-tag-strong' : 'border-line',
      )}
    >
      <p className="flex flex-wrap items-center gap-x-2 text-ink-soft text-xs">
        <span className="font-semibold">{fromFinder ? owner.fromFinder : owner.fromOwner}</span>
        <time dateTime={message.createdAt}>{formatMoment(message.createdAt)}</time>
        {isNew && <span className="rounded-full bg-tag px-2 font-semibold text-on-tag">{owner.isNew}</span>}
      </p>
      <p dir="auto" className="wrap-anywhere whitespace-pre-line">
        {message.body}
      </p>
    </li>
  );
}
