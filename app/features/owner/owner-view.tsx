import { type ReactNode, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { AccountWays, ChannelOpening } from '#app/lib/channels.ts';
import type { Item } from '#app/lib/items.ts';
import type { Message } from '#app/lib/messages.ts';
import { StaleNotice } from '#app/lib/stale-notice.tsx';
import { useLiveMessages } from '#app/lib/use-live-messages.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { openChannels } from '#domain/found-item.ts';
import { isUnnamed } from '#domain/item-catalogue.ts';
import { ChannelSwitches } from './channel-switches.tsx';
import { DeleteItem } from './delete-item.tsx';
import { FirstVisit } from './first-visit.tsx';
import { ItemDetails } from './item-details.tsx';
import { ItemTitle } from './item-title.tsx';
import { LostMode } from './lost-mode.tsx';
import { OpeningList } from './opening-list.tsx';
import { ThreadList } from './thread-list.tsx';
import { threadsPath } from './threads-path.ts';

interface OwnerViewProps {
  readonly item: Item;
  /** Where its photo is shown and changed. */
  readonly photo: ReactNode;
  readonly messages: readonly Message[];
  readonly openings: readonly ChannelOpening[];
  /** What the account leaves open where the item does not say otherwise. */
  readonly ways: AccountWays;
  /** It is shown as it was, because it could not be loaded now. */
  readonly isStale: boolean;
  /** When it was asked for, as `performance.now()` counts. */
  readonly loadedAt: number;
}

/** The item's own page for its owner, with what finders wrote; new messages appear while it is open. */
export function OwnerView({ item, photo, messages, openings, ways, isStale, loadedAt }: OwnerViewProps) {
  const { dashboard, item: texts, toasts } = useMessages();
  const { revalidate } = useRevalidator();
  // What finders did is what an owner comes for; without any, the item is. Once it is open nothing changes places.
  const [talkComesFirst] = useState(messages.length > 0 || openings.length > 0);
  const talkTitle = useRef<HTMLHeadingElement>(null);
  useLiveMessages({
    ownerId: item.userId,
    onMessage: ({ itemId, sender }) => {
      const isOfThis = itemId === item.id;
      if (isOfThis) void revalidate();
      if (sender !== 'finder') return;
      if (!isOfThis) showToast('success', dashboard.unread(1));
      // It appears in its conversation, which announces it; that may be further up or down.
      else if (!isInView(talkTitle.current)) {
        const link = { to: threadsPath(item), text: toasts.readMessage };
        showToast('success', toasts.newMessage(item.itemName), { link });
      }
    },
    onOpening: (itemId) => {
      if (itemId === item.id) void revalidate();
    },
    onMissed: () => void revalidate(),
    loadedAt,
  });

  const [isFirstVisit, setIsFirstVisit] = useState(
    isUnnamed(item.itemName) && messages.length === 0 && openings.length === 0,
  );

  const talk = (
    <>
      <section id="messages" className="flex scroll-mt-4 flex-col gap-4">
        <h2 ref={talkTitle} className="font-bold text-xl">
          {texts.owner.messages}
        </h2>
        <ThreadList messages={messages} />
      </section>
      <OpeningList openings={openings} />
    </>
  );
  const switches = (
    <ChannelSwitches
      itemId={item.id}
      ownerId={item.userId}
      areChosen={ways.areChosen}
      open={openChannels(item.channels, ways.channels)}
    />
  );
  const backToDashboard = (
    <LinkButton variant="outline" to="/dashboard">
      {texts.returnToDashboard}
    </LinkButton>
  );

  if (isFirstVisit) {
    return (
      <div className="flex flex-col gap-6">
        {isStale && <StaleNotice />}
        <FirstVisit
          item={item}
          talk={messages.length > 0 && talk}
          ways={switches}
          onDone={() => {
            setIsFirstVisit(false);
            scrollTo({ top: 0, behavior: 'instant' });
          }}
        />
        <div className="mx-auto flex w-full max-w-lg flex-col">{backToDashboard}</div>
      </div>
    );
  }

  return (
    <div className="mx-auto grid w-full max-w-lg gap-8 lg:max-w-none lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-x-10">
      <div className="flex flex-col gap-5 lg:col-span-2">
        {isStale && <StaleNotice />}
        <ItemTitle item={item} />
        <LostMode item={item} />
      </div>
      <div className="flex min-w-0 flex-col gap-8">
        {talkComesFirst && talk}
        {photo}
        {!talkComesFirst && talk}
      </div>
      <div className="flex min-w-0 flex-col gap-8">
        <ItemDetails item={item} />
        {switches}
        <div className="flex flex-wrap gap-3">
          {backToDashboard}
          <DeleteItem item={item} />
        </div>
      </div>
    </div>
  );
}

function isInView(element: Element | null): boolean {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
