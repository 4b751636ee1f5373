import { useEffect, useEffectEvent } from 'react';
import { showToast } from '#app/ui/toasts.tsx';
import { onUnsentReplies, sendReplies, unsentReplies } from './reply-outbox.ts';
import { mayHaveSession } from './session.ts';
import { useMessages } from './use-messages.ts';

/**
 * Goes on sending, on whatever screen, what an owner had answered when this tab was loaded anew, and says when an
 * answer is refused.
 */
export function useSendReplies(): void {
  const { threads } = useMessages();
  const tellOfRefusal = useEffectEvent(() => showToast('failure', threads.refusedToast, { about: 'replies' }));

  useEffect(() => {
    const countRefused = () => unsentReplies().filter(({ state }) => state === 'refused').length;
    let refused = countRefused();
    const stop = onUnsentReplies(() => {
      const now = countRefused();
      if (now > refused) tellOfRefusal();
      refused = now;
    });
    if (mayHaveSession()) void sendReplies();
    return stop;
  }, []);
}
