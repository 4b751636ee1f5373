import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ConversationState } from '#app/data/conversation-states.ts';
import type { Item } from '#app/data/items.ts';
import type { ReplyPhrase } from '#app/data/replies/send-reply.ts';
import { postReply, type UnsentReply } from '#app/data/reply-outbox.ts';
import { formatMoment } from '#app/i18n/format-date.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { WithName } from '#app/ui/with-name.tsx';
import { timeOrderedId } from '#domain/ids.ts';
import { desksWords } from '#words/desks.ts';
import { itemPageWords } from '#words/item-page.ts';
import { DeleteConversation } from './delete-conversation.tsx';
import type { Thread } from './group-threads.ts';
import { markSeen, useMarkSeen } from './mark-seen.ts';
import { MuteAndBlock } from './mute-and-block.tsx';
import { PhraseChips } from './phrases/phrase-chips.tsx';
import { ReplyForm } from './reply-form.tsx';
import { ReportFinder } from './report-finder.tsx';
import { ReturnCode } from './return-code.tsx';
import { TakeBackFromFinder } from './take-back.tsx';
import type { ThreadEntry } from './thread-bubble.tsx';
import { threadElementId } from './thread-ids.ts';
import { ThreadLog } from './thread-log.tsx';
import { ThreadPreview } from './thread-preview.tsx';

interface ThreadViewProps {
  readonly thread: Thread;
  /** What the owner decided about it. */
  readonly state: ConversationState;
  /** The code that its finder has too; undefined where it could not be loaded. */
  readonly returnCode: string | undefined;
  /** The owner's unsent replies in it, oldest first. */
  readonly unsent: readonly UnsentReply[];
  readonly isOpenAtFirst: boolean;
  /** Set while the page is visited for this conversation; a new one opens it, scrolls to it, and moves the focus to it. */
  readonly visitKey: string | null;
  /** What it is about; null where it can only be read and deleted. */
  readonly item: Item | null;
}

/** A conversation, oldest message first and scrolled to the latest, with the reply form below. */
export function ThreadView(props: ThreadViewProps) {
  const { thread, state, returnCode, unsent, isOpenAtFirst, visitKey, item } = props;
  const language = useLanguage();
  const { threads } = itemPageWords(language);
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { conversationId, number, messages, unread } = thread;
  const finder = threads.finder(number);
  const trigger = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (visitKey === null) return;
    setIsOpen(true);
    trigger.current?.focus({ preventScroll: true });
    trigger.current?.scrollIntoView({ block: 'start' });
  }, [visitKey]);
  const panel = useRef<HTMLDivElement>(null);
  useMarkSeen(panel, conversationId, isOpen ? unread : NOTHING, visitKey);
  const openOrClose = (open: boolean) => {
    setIsOpen(open);
    // To open it by hand is to see it.
    if (open && unread.length > 0) void markSeen(conversationId, messages[0].createdAt);
  };

  const onTheirWay = unsent.filter(({ id }) => messages.every((message) => message.id !== id));
  const entries: readonly ThreadEntry[] = [...messages.toReversed(), ...onTheirWay];
  const newest = entries.at(-1);

  const { itemId } = messages[0];
  const marks = [
    ...(state.returnedAt === null ? [] : [threads.returned]),
    ...(state.mutedAt === null ? [] : [threads.muted]),
    ...(state.blockedAt === null ? [] : [threads.blocked]),
  ];
  const log = useRef<HTMLElement>(null);
  const send = (body: string, phrase?: ReplyPhrase) => {
    // To its end, where it then stays.
    if (log.current !== null) log.current.scrollTop = 0;
    const writtenAt = new Date().toISOString();
    postReply({ id: timeOrderedId(), itemId, conversationId, body, phrase, writtenAt, state: 'sending' });
  };

  return (
    <div id={threadElementId(conversationId)} className="rounded-lg border border-line bg-surface shadow-raised">
      <h3>
        <button
          ref={trigger}
          type="button"
          aria-expanded={isOpen}
          onClick={() => openOrClose(!isOpen)}
          className="flex scroll-mt-4 min-h-14 w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-4 py-2 text-start hover:text-primary sm:px-5"
        >
          <span className="font-semibold">{finder}</span>
          {unread.length > 0 && (
            <span className="rounded-full bg-tag px-2.5 py-0.5 font-semibold text-on-tag text-xs">
              {threads.unread(unread.length)}
            </span>
          )}
          {marks.map((mark) => (
            <span key={mark} className="rounded-full bg-primary-soft px-2.5 py-0.5 font-semibold text-primary text-xs">
              {mark}
            </span>
          ))}
          {!isOpen && newest !== undefined && (
            <span className="order-last min-w-0 basis-full text-ink-soft text-sm">
              <ThreadPreview newest={newest} />
            </span>
          )}
          {/* On a phone it has a line of its own. */}
          <span className="order-last basis-full text-ink-soft text-xs sm:order-none sm:ms-auto sm:basis-auto">
            {threads.lastMessage(formatMoment(messages[0].createdAt))}
          </span>
          <ChevronDown
            className={classNames('ms-auto size-5 shrink-0 transition-[rotate] sm:ms-0', isOpen && 'rotate-180')}
            aria-hidden="true"
          />
        </button>
      </h3>
      {isOpen && (
        <div ref={panel} className="flex flex-col gap-4 px-4 pb-5 sm:px-5">
          <ThreadLog ref={log} entries={entries} finder={finder} />
          {item !== null && (
            <>
              <PhraseChips onSend={(phrase) => send('', phrase)} />
              <ReplyForm conversationId={conversationId} finder={finder} onSend={send} />
              {returnCode !== undefined && messages.some(({ details }) => typeof details.desk_id === 'string') && (
                <p className="font-semibold text-sm">
                  <WithName of={desksWords(language).showCode} name={returnCode} />
                </p>
              )}
              <ReturnCode itemId={itemId} code={returnCode} />
              <TakeBackFromFinder
                item={item}
                conversationId={conversationId}
                finder={finder}
                returnedAt={state.returnedAt}
              />
            </>
          )}
          <div className="-mx-4 flex flex-wrap sm:-mx-5">
            {item !== null && <MuteAndBlock conversationId={conversationId} finder={finder} state={state} />}
            {item !== null && <ReportFinder conversationId={conversationId} finder={finder} />}
            <DeleteConversation conversationId={conversationId} finder={finder} unsent={unsent} />
          </div>
        </div>
      )}
    </div>
  );
}

const NOTHING: readonly string[] = [];
