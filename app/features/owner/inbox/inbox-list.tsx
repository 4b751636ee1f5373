import { Inbox as InboxPicture } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Inbox } from '#app/data/inbox/inbox.ts';
import { useLiveMessages } from '#app/data/live/use-live-messages.ts';
import { useConfirmDelivery } from '#app/data/use-confirm-delivery.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { onceABurst } from '#app/resilience/once-a-burst.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { messagesWords } from '#words/messages.ts';
import { InboxRow, inboxRowId } from './inbox-row.tsx';

interface InboxListProps {
  readonly userId: string;
  readonly inbox: Inbox;
  /** As `performance.now()`. */
  readonly loadedAt: number;
  /** The next load brings the page that follows. */
  readonly wantEarlier: () => void;
}

/** The account's conversations, the one with the newest message first. They follow what arrives. */
export function InboxList({ userId, inbox: { rows, next }, loadedAt, wantEarlier }: InboxListProps) {
  const texts = messagesWords(useLanguage());
  const { revalidate } = useRevalidator();
  const now = useMinutes();
  useFollowMessages({ userId, rows, loadedAt });
  useConfirmDelivery(rows.filter(({ isUnread }) => isUnread).length);
  const [isAsked, setIsAsked] = useState(false);
  const lastBefore = useRef<string | null>(null);

  // The button is further down now, or gone: the focus goes to the first row that it has added.
  useEffect(() => {
    if (lastBefore.current === null) return;
    const added = rows.slice(1 + rows.findIndex(({ id }) => id === lastBefore.current));
    const [first] = added;
    if (first === undefined) return;
    lastBefore.current = null;
    announce(texts.earlierShown(added.length));
    document.getElementById(inboxRowId(first.id))?.focus({ preventScroll: true });
  }, [rows, texts]);

  const showEarlier = async () => {
    setIsAsked(true);
    lastBefore.current = rows.at(-1)?.id ?? null;
    wantEarlier();
    // Where it cannot be loaded, the notice above the list says so.
    await revalidate();
    setIsAsked(false);
  };

  if (rows.length === 0) return <NoMessages />;
  return (
    <>
      <ul className="-mx-4 divide-y divide-line overflow-hidden border-line border-y bg-surface sm:mx-0 sm:rounded-lg sm:border sm:shadow-raised">
        {rows.map((row) => (
          <InboxRow key={row.id} row={row} now={now} />
        ))}
      </ul>
      {next !== null && (
        <Button variant="outline" busy={isAsked} onClick={() => void showEarlier()} className="self-center">
          {texts.earlier}
        </Button>
      )}
    </>
  );
}

interface Followed {
  readonly userId: string;
  readonly rows: Inbox['rows'];
  readonly loadedAt: number;
}

/** Loads the list again when a message arrives, and where one was read or replied to on another screen. */
function useFollowMessages({ userId, rows, loadedAt }: Followed): void {
  const texts = messagesWords(useLanguage());
  const { revalidate } = useRevalidator();
  const reload = useMemo(() => onceABurst(() => void revalidate()), [revalidate]);
  useLiveMessages({
    ownerId: userId,
    onMessage: ({ sender, conversationId }) => {
      const row = rows.find(({ id }) => id === conversationId);
      if (sender === 'finder' && row !== undefined && !row.isMuted) announce(texts.arrived(isolateName(row.itemName)));
      reload();
    },
    onChange: reload,
    onMissed: reload,
    loadedAt,
  });
}

/** Returns the time, in milliseconds, as it was at most a minute ago. */
function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function NoMessages() {
  const texts = messagesWords(useLanguage());
  return (
    <div className="flex flex-col items-center gap-4 rounded-xl border-2 border-line border-dashed px-6 py-14 text-center">
      <InboxPicture className="size-12 text-primary" strokeWidth={1.5} aria-hidden="true" />
      <h2 className="font-bold text-xl">{texts.emptyTitle}</h2>
      <p className="max-w-prose text-ink-soft">{texts.emptyText}</p>
      <LinkButton variant="outline" to="/dashboard">
        {texts.toItems}
      </LinkButton>
    </div>
  );
}
