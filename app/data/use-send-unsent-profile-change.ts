import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { showToast } from '#app/ui/toasts.tsx';
import { browserClient } from './browser-client.ts';
import { keepProfileChange, keptProfileChange, onKeptProfileChange } from './kept-profile-change.ts';
import { saveProfile } from './profile.ts';
import { currentSession, mayHaveSession } from './session.ts';
import { useMessages } from './use-messages.ts';

/** Milliseconds before the first and at most between two tries. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 60_000;

/** Sends what a profile's owner changed while the server was out of reach, on whatever screen, as soon as it can be. */
export function useSendKeptProfileChange(): void {
  const { profile } = useMessages();
  const { revalidate } = useRevalidator();

  /** Answers whether there is still something to send. */
  const send = useEffectEvent(async (): Promise<boolean> => {
    const session = mayHaveSession() ? await currentSession() : null;
    const kept = session && keptProfileChange(session.user.id);
    if (kept === null) return false;
    const outcome = await saveProfile(await browserClient(), kept.userId, kept);
    if (outcome === 'outOfReach' || outcome === 'tooMany') return true;
    // Changed again while it was on its way: that is sent as well.
    if (JSON.stringify(keptProfileChange(kept.userId)) !== JSON.stringify(kept)) return true;
    keepProfileChange(null);
    if (outcome === 'saved') showToast('success', profile.updated, { about: 'profile' });
    else showToast('failure', profile.keptRefused, { about: 'profile', milliseconds: 10_000 });
    await revalidate();
    return false;
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const tryIn = (wait: number) => {
      clearTimeout(timer);
      const again = () => {
        if (!stopped) tryIn(Math.min(LONGEST_WAIT, Math.max(FIRST_WAIT, wait * 2)));
      };
      timer = setTimeout(() => void send().then((more) => more && again(), again), wait);
    };
    const now = () => tryIn(0);
    const soon = () => tryIn(FIRST_WAIT);
    now();
    addEventListener('online', now);
    const stopListening = onKeptProfileChange(soon);
    return () => {
      stopped = true;
      clearTimeout(timer);
      removeEventListener('online', now);
      stopListening();
    };
  }, []);
}
