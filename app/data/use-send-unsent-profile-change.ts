import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/client/browser-client.ts';
import { currentSession } from '#app/client/current-session.ts';
import { mayHaveSession } from '#app/client/session.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { saveProfile } from './profile.ts';
import {
  keepProfileChange,
  onUnsentProfileChange,
  saveInTurn,
  type UnsentProfileChange,
  unsentProfileChange,
} from './unsent-profile-change.ts';

/** Milliseconds before the first retry, and the longest between two. */
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 60_000;

/**
 * Sends, on every screen, profile changes that were made while the server was unreachable, as soon as it can be
 * reached.
 */
export function useSendUnsentProfileChange(): void {
  const { emailTrouble } = useTexts();
  const { revalidate } = useRevalidator();

  /** Returns whether there is still something to send. */
  const send = useEffectEvent(async (): Promise<boolean> => {
    const session = mayHaveSession() ? await currentSession() : null;
    const unsent = session && unsentProfileChange(session.user.id);
    if (unsent === null) return false;
    const client = await browserClient();
    const outcome = await saveInTurn(async () =>
      isStillUnsent(unsent) ? saveProfile(client, unsent.userId, unsent) : 'changed',
    );
    if (outcome === 'unreachable' || outcome === 'tooMany' || outcome === 'changed') return true;
    // Changed again while the request was on its way, so that change must be sent as well.
    if (!isStillUnsent(unsent)) return true;
    keepProfileChange(null);
    if (outcome === 'saved') showToast('success', emailTrouble.updated, { about: 'profile' });
    else showToast('failure', emailTrouble.keptRefused, { about: 'profile', milliseconds: 10_000 });
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
    const stopListening = onUnsentProfileChange(soon);
    return () => {
      stopped = true;
      clearTimeout(timer);
      removeEventListener('online', now);
      stopListening();
    };
  }, []);
}

function isStillUnsent(change: UnsentProfileChange): boolean {
  return JSON.stringify(unsentProfileChange(change.userId)) === JSON.stringify(change);
}
