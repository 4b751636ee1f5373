import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { findOwnItemById, type Item } from '#app/data/items.ts';
import { useLiveMessages } from '#app/data/use-live-messages.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import type { Texts } from '#domain/texts/en.ts';

/** Returns the URL of the conversations about an item. */
export function threadsPath({ qrId }: Pick<Item, 'qrId'>): string {
  return `/item/${qrId}#messages`;
}

/** Shows a notice of a new message that links to its conversation. Loads the item if `items` does not contain it. */
export async function announceMessage(
  { dashboard, toasts }: Texts,
  itemId: string,
  items: readonly Item[],
): Promise<void> {
  const item = items.find(({ id }) => id === itemId) ?? (await lookUp(itemId));
  if (item === null) return showToast('success', dashboard.unread(1));
  const link = { to: threadsPath(item), text: toasts.readMessage };
  showToast('success', toasts.newMessage(isolateName(item.itemName)), { link });
}

/** Resolves with null if the item cannot be loaded; the notice then does not name it. */
async function lookUp(itemId: string): Promise<Item | null> {
  return browserClient()
    .then((client) => findOwnItemById(client, itemId))
    .catch(() => null);
}

/** Announces new messages on the dashboard, and updates the counts of the cards. */
export function useAnnounceMessages(ownerId: string, items: readonly Item[], loadedAt: number): void {
  const texts = useTexts();
  const { revalidate } = useRevalidator();
  useLiveMessages({
    ownerId,
    onMessage: ({ itemId, sender }) => {
      if (sender !== 'finder') return;
      void announceMessage(texts, itemId, items);
      void revalidate();
    },
    onMissed: () => void revalidate(),
    loadedAt,
  });
}
