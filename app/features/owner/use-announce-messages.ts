import { useRevalidator } from 'react-router';
import type { Item } from '#app/lib/items.ts';
import { useLiveMessages } from '#app/lib/use-live-messages.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { showToast } from '#app/ui/toasts.tsx';
import { threadsPath } from './threads-path.ts';

/** On the dashboard a new message shows itself as a notice and in its card's count. */
export function useAnnounceMessages(ownerId: string, items: readonly Item[], loadedAt: number): void {
  const { dashboard, toasts } = useMessages();
  const { revalidate } = useRevalidator();
  useLiveMessages({
    ownerId,
    onMessage: ({ itemId, sender }) => {
      if (sender !== 'finder') return;
      const item = items.find(({ id }) => id === itemId);
      if (item === undefined) showToast('success', dashboard.unread(1));
      else {
        const link = { to: threadsPath(item), text: toasts.readMessage };
        showToast('success', toasts.newMessage(item.itemName), { link });
      }
      void revalidate();
    },
    onMissed: () => void revalidate(),
    loadedAt,
  });
}
