import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { showToast } from '#app/ui/toasts.tsx';
import { onSessionEnd, type Successor, sessionStorageKey } from './browser-client.ts';
import { usePublicConfig } from './public-config.ts';
import { isSigningOut } from './sign-out.ts';
import { useMessages } from './use-messages.ts';

/**
 * Loads the screen anew when the session ends or begins elsewhere: in another tab, where another account may take its
 * place, or at the service, which refuses to renew it. No screen then shows what it no longer may, and the end is said
 * in words.
 */
export function useFollowSession(): void {
  const key = sessionStorageKey(usePublicConfig().storagePrefix);
  const { sessionEnded } = useMessages();
  const { revalidate } = useRevalidator();

  const follow = useEffectEvent((event: StorageEvent) => {
    const changed = event.key === key && (event.oldValue === null) !== (event.newValue === null);
    if (changed) void revalidate();
  });
  const end = useEffectEvent((successor: Successor) => {
    if (isSigningOut()) return;
    if (successor === 'nobody') showToast('failure', sessionEnded, { about: 'account' });
    void revalidate();
  });

  useEffect(() => {
    const listener = (event: StorageEvent) => follow(event);
    addEventListener('storage', listener);
    return () => removeEventListener('storage', listener);
  }, []);

  useEffect(() => onSessionEnd((successor) => end(successor)), []);
}
