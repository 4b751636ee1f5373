import type { Message } from '#app/data/messages.ts';
import { discardReply, postReply, type UnsentReply } from '#app/data/reply-outbox.ts';
import { formatMoment } from '#app/i18n/format-date.ts';
import { usePhrases } from '#app/i18n/use-phrases.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { MessageBubble } from '#app/item/message-bubble.tsx';
import { Button } from '#app/ui/button.tsx';
import { mapLink } from '#domain/contact/message-details.ts';
import { describeDetails } from '#domain/texts/describe-details.ts';
import { itemPageWords } from '#words/item-page.ts';
import { DeskDetails } from './phrases/desk-details.tsx';
import { detailsOf } from './phrases/details-of.ts';
import { ThreadPhoto } from './thread-photo.tsx';

/** A message of a conversation, or an unsent reply, which already has its id. */
export type ThreadEntry = Message | UnsentReply;

/** An entry of a conversation. Keyed by id, a reply that gets sent stays the same element and is announced once. */
export function ThreadBubble({ entry }: { readonly entry: ThreadEntry }) {
  const texts = useTexts();
  const phrases = usePhrases();
  const { item } = texts;
  const isUnsent = 'state' in entry;
  const isMine = isUnsent || entry.sender === 'owner';
  const details = detailsOf(entry);
  const isNew = !isUnsent && !isMine && entry.readAt === null;
  return (
    <MessageBubble
      mine={isMine}
      author={
        isMine ? (isUnsent || !entry.byContact ? item.owner.fromOwner : item.owner.fromContact) : item.owner.fromFinder
      }
      marked={isNew}
      data-new={isNew ? entry.createdAt : undefined}
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
      said={describeDetails({ ...details, body: entry.body }, texts, phrases.say(details))}
      body={entry.body}
      language={isUnsent ? null : entry.language}
      note={isUnsent || isMine ? null : phrases.note(entry)}
    >
      {!isUnsent && entry.photo && <ThreadPhoto messageId={entry.id} />}
      {typeof details.desk_id === 'string' && <DeskDetails id={details.desk_id} />}
      {details.location !== null && (
        <a
          href={mapLink(details.location)}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center font-semibold text-primary text-sm hover:underline"
        >
          {texts.taps.showOnMap}
        </a>
      )}
      {isUnsent && entry.state === 'refused' && <Refused reply={entry} />}
    </MessageBubble>
  );
}

interface ReplyProps {
  readonly reply: UnsentReply;
}

function Progress({ reply: { state } }: ReplyProps) {
  const { threads } = itemPageWords(useLanguage());
  return <span className={state === 'refused' ? 'font-semibold text-danger' : undefined}>{threads[state]}</span>;
}

function Refused({ reply }: ReplyProps) {
  const { threads } = itemPageWords(useLanguage());
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
