import { useEffect } from 'react';
import { backgroundClient } from '#app/client/background-client.ts';
import { whenIdle } from '#app/ui/when-idle.ts';
import { confirmDelivery } from './news/item-news.ts';

/** Confirms that unread messages have reached a visible screen, whenever there are more of them. */
export function useConfirmDelivery(unreadCount: number): void {
  useEffect(() => {
    if (unreadCount === 0) return;
    let stop = () => {};
    const confirm = () => {
      if (document.visibilityState !== 'visible') return;
      stop();
      // What could not be confirmed is confirmed by the next screen.
      stop = whenIdle(() => {
        backgroundClient()
          .then(confirmDelivery)
          .catch(() => {});
      });
    };
    confirm();
    document.addEventListener('visibilitychange', confirm);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', confirm);
    };
  }, [unreadCount]);
}
