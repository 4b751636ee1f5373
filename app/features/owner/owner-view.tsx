import { type ReactNode, useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/lib/browser-client.ts';
import type { ChannelOpening } from '#app/lib/channels.ts';
import type { Item } from '#app/lib/items.ts';
import { type Message, markRead } from '#app/lib/messages.ts';
import { useLiveMessages } from '#app/lib/use-live-messages.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import type { OpenChannels } from '#domain/found-item.ts';
import { ChannelSwitches } from './channel-switches.tsx';
import { DeleteItem } from './delete-item.tsx';
import { ItemDetails } from './item-details.tsx';
import { MessageList } from './message-list.tsx';
import { OpeningList } from './opening-list.tsx';

interface OwnerViewProps {
  readonly item: Item;
  /** Where its photo is shown and changed. */
  readonly photo: ReactNode;
  readonly messages: readonly Message[];
  readonly openings: readonly ChannelOpening[];
  /** What the account leaves open where the item does not say otherwise. */
  readonly accountChannels: OpenChannels;
}

/** The item's own page for its owner, with what finders wrote; new messages appear while it is open. */
export function OwnerView({ item, photo, messages, openings, accountChannels }: OwnerViewProps) {
  const { dashboard, item: texts } = useMessages();
  const { revalidate } = useRevalidator();
  useLiveMessages({
    ownerId: item.userId,
    onMessage: ({ itemId, sender }) => {
      // One about this item appears in the list below, which announces it.
      if (itemId === item.id) void revalidate();
      else if (sender === 'finder') showToast('success', dashboard.unread(1));
    },
    onOpening: (itemId) => {
      if (itemId === item.id) void revalidate();
    },
    onConnect: () => void revalidate(),
  });
  useMarkRead(item.id, messages);

  return (
    <div className="flex flex-col gap-8">
      <ItemDetails item={item} />
      {photo}
      <section className="flex flex-col gap-4">
        <h2 className="font-bold text-xl">{texts.owner.messages}</h2>
        <MessageList messages={messages} />
      </section>
      <OpeningList openings={openings} />
      <ChannelSwitches itemId={item.id} open={openChannels(item, accountChannels)} />
      <div className="flex flex-wrap gap-3">
        <LinkButton variant="outline" to="/dashboard">
          {texts.returnToDashboard}
        </LinkButton>
        <DeleteItem item={item} />
      </div>
    </div>
  );
}

function openChannels({ channels }: Item, account: OpenChannels): OpenChannels {
  return {
    whatsapp: channels.whatsapp ?? account.whatsapp,
    call: channels.call ?? account.call,
    email: channels.email ?? account.email,
    message: channels.message ?? account.message,
  };
}

/** Reading is being shown: what is on the screen of a page in front counts as read, and stays marked as new here. */
function useMarkRead(itemId: string, messages: readonly Message[]): void {
  const unread = messages.filter(({ sender, readAt }) => sender === 'finder' && readAt === null).length;
  useEffect(() => {
    if (unread === 0) return;
    const mark = () => {
      if (document.visibilityState !== 'visible') return;
      // What could not be marked stays unread, and is tried again when the page is opened next.
      browserClient()
        .then((client) => markRead(client, itemId))
        .catch(() => {});
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [itemId, unread]);
}
