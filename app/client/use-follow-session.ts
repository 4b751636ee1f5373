import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { useTexts } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { reportSessionEnd, type Successor, sessionStorageKey } from './browser-client.ts';
import { usePublicConfig } from './public-config.ts';
import { isSigningOut } from './session/signing-out.ts';

/**
 * Reloads the screen when the session ends or begins elsewhere: in another tab, possibly with another account, or at
 * the service. Screens thus never show what the user may no longer see, and a notice reports the end.
 */
export function useFollowSession(): void {
  const key = sessionStorageKey(usePublicConfig().storagePrefix);
  const { sessionEnded } = useTexts();
  const { revalidate } = useRevalidator();

  const follow = useEffectEvent((event: StorageEvent) => {
    const changed = event.key === key && (event.oldValue === null) !== (event.newValue === null);
    if (changed) void revalidate();
  });
  const end = useEffectEvent((successor: Successor) => {
    if (isSigningOut()) return;
    if (successor === 'none') showToast('failure', sessionEnded, { about: 'account' });
    void revalidate();
  });

  useEffect(() => {
    const listener = (event: StorageEvent) => follow(event);
    addEventListener('storage', listener);
    return () => removeEventListener('storage', listener);
  }, []);

  useEffect(() => reportSessionEnd((successor) => end(successor)), []);
}
