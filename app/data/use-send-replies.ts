import { useEffect, useEffectEvent } from 'react';
import { mayHaveSession } from '#app/client/session.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { onUnsentReplies, sendReplies, unsentReplies } from './reply-outbox.ts';

/**
 * Continues on every screen to send the replies that were unsent when this tab was reloaded, and reports refused ones.
 */
export function useSendReplies(): void {
  const language = useLanguage();
  const announceRefusal = useEffectEvent(async () => {
    // Every screen has this code, and hardly ever needs the words.
    const { itemPageWords } = await import('#words/item-page.ts');
    showToast('failure', itemPageWords(language).threads.refusedToast, { about: 'replies' });
  });

  useEffect(() => {
    const countRefused = () => unsentReplies().filter(({ state }) => state === 'refused').length;
    let refused = countRefused();
    const stop = onUnsentReplies(() => {
      const now = countRefused();
      if (now > refused) void announceRefusal().catch(() => {});
      refused = now;
    });
    if (mayHaveSession()) void sendReplies();
    return stop;
  }, []);
}
