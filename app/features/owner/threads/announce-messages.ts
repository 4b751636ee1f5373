import { useMemo } from 'react';
import { useRevalidator } from 'react-router';
import { dataClient } from '#app/client/browser-client.ts';
import { isMuted } from '#app/data/conversations.ts';
import { findOwnItemById, type Item } from '#app/data/items.ts';
import { useLiveMessages } from '#app/data/live/use-live-messages.ts';
import type { Message } from '#app/data/messages.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { THREADS_ID } from '#app/item/threads-id.ts';
import { onceABurst } from '#app/resilience/once-a-burst.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import type { Texts } from '#domain/texts/screen-texts.ts';
import { threadElementId } from './thread-ids.ts';

/** Returns the URL of the conversations about an item. It opens the first that has unread messages. */
export function threadsPath({ qrId }: Pick<Item, 'qrId'>): string {
  return `/item/${qrId}#${THREADS_ID}`;
}

/** Shows a notice of a new message that links to its conversation. Loads the item if `items` does not contain it. */
export async function announceMessage(
  { dashboard, toasts }: Texts,
  { itemId, conversationId }: Pick<Message, 'itemId' | 'conversationId'>,
  items: readonly Item[],
): Promise<void> {
  if (await isQuiet(conversationId)) return;
  const item = items.find(({ id }) => id === itemId) ?? (await lookUp(itemId));
  if (item === null) return showToast('success', dashboard.unread(1));
  const link = { to: `/item/${item.qrId}#${threadElementId(conversationId)}`, text: toasts.readMessage };
  showToast('success', toasts.newMessage(isolateName(item.itemName)), { link });
}

/** Whether the owner muted the conversation. One that could not be asked about is announced. */
async function isQuiet(conversationId: string): Promise<boolean> {
  return dataClient()
    .then((client) => isMuted(client, conversationId))
    .catch(() => false);
}

/** Resolves with null if the item cannot be loaded; the notice then does not name it. */
async function lookUp(itemId: string): Promise<Item | null> {
  return dataClient()
    .then((client) => findOwnItemById(client, itemId))
    .catch(() => null);
}

/** Announces new messages on the dashboard, and updates the counts of the cards. */
export function useAnnounceMessages(ownerId: string, items: readonly Item[], loadedAt: number): void {
  const texts = useTexts();
  const { revalidate } = useRevalidator();
  const recount = useMemo(() => onceABurst(() => void revalidate()), [revalidate]);
  useLiveMessages({
    ownerId,
    onMessage: (message) => {
      if (message.sender !== 'finder') return;
      void announceMessage(texts, message, items);
      recount();
    },
    // In another tab, or on another device.
    onChange: ({ sender, readAt }) => {
      if (sender === 'finder' && readAt !== null) recount();
    },
    onMissed: () => void revalidate(),
    loadedAt,
  });
}
