import { useEffect } from 'react';
import { browserClient } from '#app/lib/browser-client.ts';
import { markRead } from '#app/lib/messages.ts';

/** Reading is being shown: what is on the screen of a page in front counts as read, and stays marked as new here. */
export function useMarkRead(conversationId: string, unread: readonly string[]): void {
  // By their ids: one that comes while another is marked leaves their number as it was.
  const unreadIds = unread.join();
  useEffect(() => {
    if (unreadIds === '') return;
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
  }, [conversationId, unreadIds]);
}
