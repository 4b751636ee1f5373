import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { AccountContactMethods, ContactOpening } from '#app/data/contact-methods.ts';
import { type ConversationState, UNDECIDED } from '#app/data/conversation-states.ts';
import type { Item } from '#app/data/items.ts';
import { useLiveMessages } from '#app/data/live/use-live-messages.ts';
import type { Message } from '#app/data/messages.ts';
import { refreshAppBadge } from '#app/data/refresh-app-badge.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { ItemRows } from '#app/item/item-row.tsx';
import { VoidCodeNotice } from '#app/item/sticker/void-code-notice.tsx';
import { THREADS_ID } from '#app/item/threads-id.ts';
import { useRenewPush } from '#app/push/use-renew-push.ts';
import { StaleNotice } from '#app/resilience/load-failed.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { dismissToast } from '#app/ui/notice/toasts.tsx';
import { openContactMethods } from '#domain/contact/contact-methods.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { itemPageWords } from '#words/item-page.ts';
import { ContactMethodsRow } from './contact-methods/contact-methods-row.tsx';
import { OpeningList } from './contact-methods/opening-list.tsx';
import { DeleteItem } from './delete-item.tsx';
import { ItemDetails } from './item-details.tsx';
import { ItemTitle } from './item-title.tsx';
import { LostMode } from './lost-mode.tsx';
import { PushOffer } from './push-offer.tsx';
import { announceMessage } from './threads/announce-messages.ts';
import { groupThreads } from './threads/group-threads.ts';
import { isThreadOnScreen } from './threads/mark-seen.ts';
import { ThreadList } from './threads/thread-list.tsx';

/** The parts of the first visit, which few pages need. */
interface VisitParts {
  readonly FirstVisit: typeof import('./first-visit/first-visit.tsx').FirstVisit;
  readonly Photo: ComponentType<{ readonly item: Item }>;
}

interface OwnerViewProps {
  readonly item: Item;
  /** Shows its photo, and changes it while the item is edited. */
  readonly photo: (isEditing: boolean) => ReactNode;
  /** Says that it needs a sticker. */
  readonly stickerNeeded: ReactNode;
  /** The row of its stickers. */
  readonly stickers: ReactNode;
  /** Null where no first visit is due. */
  readonly visit: VisitParts | null;
  /** The row that gives it to someone. */
  readonly giving: ReactNode;
  readonly messages: readonly Message[];
  /** By conversation. */
  readonly conversations: ReadonlyMap<string, ConversationState>;
  /** By conversation. */
  readonly returnCodes: ReadonlyMap<string, string>;
  readonly openings: readonly ContactOpening[];
  /** The account's contact methods, which apply where the item has no setting. */
  readonly contactMethods: AccountContactMethods;
  /** The account's address, as long as it is not confirmed. */
  readonly unconfirmedEmail: string | null;
  /** Whether earlier data is shown, because it could not be refreshed. */
  readonly isStale: boolean;
  /** When the data was requested, as `performance.now()`. */
  readonly loadedAt: number;
}

/** An item's page for its owner, with the conversations. New messages appear while it is open. */
export function OwnerView(props: OwnerViewProps) {
  const {
    item,
    photo,
    stickerNeeded,
    stickers,
    visit,
    giving,
    messages,
    conversations,
    returnCodes,
    openings,
    contactMethods,
    unconfirmedEmail,
    isStale,
    loadedAt,
  } = props;
  const words = useTexts();
  const texts = words.item;
  const { threads: threadWords } = itemPageWords(useLanguage());
  useRenewPush();
  const { revalidate } = useRevalidator();
  const threadsTitle = useRef<HTMLHeadingElement>(null);
  // What was announced elsewhere is on the screen now.
  const announced = words.toasts.newMessage(isolateName(item.itemName));
  useEffect(() => dismissToast(announced), [announced]);
  const arrived = useRef(new Set<string>());
  useLiveMessages({
    ownerId: item.userId,
    onMessage: (message) => {
      const isOfThis = message.itemId === item.id;
      if (isOfThis) void revalidate();
      if (message.sender !== 'finder') return;
      refreshAppBadge();
      if (isOfThis && isInView(threadsTitle.current)) arrived.current.add(message.id);
      else void announceMessage(words, message, [item]);
    },
    onChange: ({ id, photo: hasPhoto, sender, readAt }) => {
      if (hasPhoto && messages.some((message) => message.id === id && !message.photo)) void revalidate();
      if (sender === 'finder' && readAt !== null) refreshAppBadge();
    },
    onOpening: (itemId) => {
      if (itemId === item.id) void revalidate();
    },
    onMissed: () => void revalidate(),
    loadedAt,
  });

  // The message appears in its conversation, which announces it, but may be out of view below.
  const announceHidden = useEffectEvent((message: Message) => {
    if (!isThreadOnScreen(message.conversationId)) void announceMessage(words, message, [item]);
  });
  useEffect(() => {
    for (const message of messages) if (arrived.current.delete(message.id)) announceHidden(message);
  }, [messages]);

  // Until its last step, also where the item has got its name.
  const [firstVisit, setFirstVisit] = useState(visit);

  const threads = (
    <>
      <section id={THREADS_ID} className="flex scroll-mt-4 flex-col gap-4">
        <h2 ref={threadsTitle} className="font-bold text-xl">
          {texts.owner.messages}
        </h2>
        <ThreadList
          messages={messages}
          conversations={conversations}
          returnCodes={returnCodes}
          isStale={isStale}
          item={item}
        />
      </section>
      <OpeningList openings={openings} />
    </>
  );
  if (firstVisit !== null) {
    return (
      <div className="mx-auto flex w-full max-w-lg flex-col gap-6">
        {isStale && <StaleNotice />}
        {item.voidReason !== null && <VoidCodeNotice reason={item.voidReason} />}
        <firstVisit.FirstVisit
          item={item}
          photo={<firstVisit.Photo item={item} />}
          contactMethods={contactMethods}
          unconfirmedEmail={unconfirmedEmail}
          onDone={() => {
            setFirstVisit(null);
            scrollTo({ top: 0, behavior: 'instant' });
          }}
        />
        {messages.length > 0 && threads}
        <LinkButton variant="quiet" to="/dashboard">
          {texts.returnToDashboard}
        </LinkButton>
      </div>
    );
  }

  const backToDashboard = (
    <LinkButton variant="outline" to="/dashboard">
      {texts.returnToDashboard}
    </LinkButton>
  );

  const open = openContactMethods(item.channels, contactMethods.channels);
  const finders = groupThreads(messages).filter(({ conversationId }) => {
    const { returnedAt, blockedAt } = conversations.get(conversationId) ?? UNDECIDED;
    return returnedAt === null && blockedAt === null;
  });
  return (
    <div className="mx-auto grid w-full max-w-lg gap-8 lg:max-w-none lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-x-10">
      <div className="flex min-w-0 flex-col gap-8">
        <div className="flex flex-col gap-5">
          {isStale && <StaleNotice />}
          {item.voidReason !== null && <VoidCodeNotice reason={item.voidReason} />}
          <ItemTitle item={item} />
          {stickerNeeded}
          <LostMode
            item={item}
            finders={finders.map(({ conversationId, number }) => ({
              conversationId,
              name: threadWords.finder(number),
            }))}
          />
          {(item.lostAt !== null || messages.length > 0) && <PushOffer userId={item.userId} />}
        </div>
        {threads}
      </div>
      <div className="flex min-w-0 flex-col gap-5">
        <ItemDetails item={item} photo={photo} />
        <ItemRows>
          {stickers}
          <ContactMethodsRow item={item} areChosen={contactMethods.areChosen} open={open} />
          {giving}
          <DeleteItem item={item} />
        </ItemRows>
        <div className="flex flex-col">{backToDashboard}</div>
      </div>
    </div>
  );
}

function isInView(element: Element | null): boolean {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
