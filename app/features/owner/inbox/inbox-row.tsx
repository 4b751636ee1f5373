import { BellOff } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import type { InboxRow as Row } from '#app/data/inbox/inbox.ts';
import { formatAgo } from '#app/i18n/format-ago.ts';
import { formatMoment } from '#app/i18n/format-date.ts';
import { usePhrases } from '#app/i18n/use-phrases.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { ItemPicture } from '#app/item/item-picture.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { messagesWords } from '#words/messages.ts';
import { firstLine } from '../first-line.ts';
import { threadElementId } from '../threads/thread-ids.ts';

interface InboxRowProps {
  readonly row: Row;
  /** In milliseconds, as of `Date.now()`. */
  readonly now: number;
}

/** A conversation in the list of all. The whole row is a link. */
export const InboxRow = memo(({ row, now }: InboxRowProps) => {
  const language = useLanguage();
  const texts = messagesWords(language);
  const phrases = usePhrases();
  const { isUnread, newest } = row;
  return (
    <li>
      <Link
        id={inboxRowId(row.id)}
        to={addressOf(row)}
        className="group relative flex items-center gap-3.5 py-3.5 ps-6 pe-4 outline-offset-[-3px] transition-[background-color] hover:bg-primary-soft/50 sm:pe-5"
      >
        {isUnread && <span aria-hidden="true" className="absolute start-2 size-2.5 rounded-full bg-primary" />}
        <ItemPicture item={row} size="row" />
        <div className="min-w-0 flex-1">
          <p className="flex items-baseline gap-3">
            <span className={classNames('wrap-anywhere min-w-0 flex-1', isUnread ? 'font-bold' : 'font-semibold')}>
              <bdi>{row.itemName}</bdi>
            </span>
            {isUnread && <span className="sr-only">{texts.new}</span>}
            <time
              dateTime={row.newestAt}
              title={formatMoment(row.newestAt)}
              className={classNames(
                'shrink-0 text-xs tabular-nums',
                isUnread ? 'font-semibold text-primary' : 'text-ink-soft',
              )}
            >
              {formatAgo(row.newestAt, now) ?? texts.now}
            </time>
          </p>
          <p className={classNames('wrap-anywhere text-sm', isUnread ? 'font-semibold text-ink' : 'text-ink-soft')}>
            {texts[authorOf(newest)]}:{' '}
            <bdi lang={newest.body === '' ? undefined : (newest.language ?? undefined)}>
              {firstLine(newest, language, phrases)}
            </bdi>
          </p>
          <InboxMarks row={row} />
        </div>
      </Link>
    </li>
  );
});

/** Returns the id of a row's link. */
export function inboxRowId(conversationId: string): string {
  return `conversation-${conversationId}`;
}

function addressOf({ id, itemId, qrId }: Row): string {
  return `${qrId === null ? `/given/${itemId}` : `/item/${qrId}`}#${threadElementId(id)}`;
}

function authorOf({ sender, byContact }: Row['newest']) {
  if (sender === 'finder') return 'finder';
  return byContact ? 'contact' : 'you';
}

/** What became of the conversation. What is unread says so by itself. */
function InboxMarks({ row }: Pick<InboxRowProps, 'row'>) {
  const texts = messagesWords(useLanguage());
  const isWaiting = row.isWaiting && !row.isUnread;
  const states = [
    row.qrId === null && texts.given,
    row.isReturned && texts.returned,
    row.isBlocked && texts.blocked,
  ].filter((state) => state !== false);
  if (!isWaiting && !row.isMuted && states.length === 0) return null;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft text-xs">
      {isWaiting && (
        <span className="rounded-full bg-tag-soft px-2.5 py-0.5 font-semibold text-on-tag-soft">{texts.waiting}</span>
      )}
      {states.map((state) => (
        <span key={state}>{state}</span>
      ))}
      {row.isMuted && (
        <span className="flex items-center gap-1">
          <BellOff className="size-3.5" aria-hidden="true" />
          {texts.muted}
        </span>
      )}
    </p>
  );
}
