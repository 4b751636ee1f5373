import { useEffect } from 'react';
import { browserClient } from '#app/lib/browser-client.ts';
import { markRead } from '#app/lib/messages.ts';

/** Reading is being shown: what is on the screen of a page in front counts as read, and stays marked as new here. */
export function useMarkRead(conversationId: string, unread: number): void {
  useEffect(() => {
    if (unread === 0) return;
    const mark = () => {
      if (document.visibilityState !== 'visible') return;
      // What could not be marked stays unread, and is tried again when the page is opened next.
      browserClient()
        .then((client) => markRead(client, conversationId))
        .catch(() => {});
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [conversationId, unread]);
}
