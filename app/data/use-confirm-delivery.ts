import { useEffect } from 'react';
import { browserClient } from '#app/client/browser-client.ts';
import { whenIdle } from '#app/ui/when-idle.ts';
import { confirmDelivery } from './messages.ts';

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
        browserClient()
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
