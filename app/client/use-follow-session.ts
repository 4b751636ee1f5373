import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { useTexts } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { whenSettled } from '#app/ui/when-idle.ts';
import { backgroundClient } from './background-client.ts';
import { reportSessionEnd, reportsSessionEnd, type Successor } from './browser-client.ts';
import { usePublicConfig } from './public-config.ts';
import { isSigningOut } from './session/signing-out.ts';
import { sessionStorageKey } from './session/stored-session.ts';

/**
 * Reloads the screen when the session ends or begins elsewhere: in another tab, possibly with another account, or at
 * the service. Screens thus never show what the user may no longer see, and a notice reports the end.
 */
export function useFollowSession(): void {
  const key = sessionStorageKey(usePublicConfig().storagePrefix);
  const { sessionEnded } = useTexts();
  const { revalidate } = useRevalidator();

  const end = useEffectEvent((successor: Successor) => {
    if (isSigningOut()) return;
    if (successor === 'none') showToast('failure', sessionEnded, { about: 'account' });
    void revalidate();
  });
  // Of another tab.
  const follow = useEffectEvent(({ key: changed, oldValue, newValue }: StorageEvent) => {
    if (changed !== key || (oldValue === null) === (newValue === null)) return;
    if (newValue === null && !reportsSessionEnd()) end('none');
    else void revalidate();
  });

  useEffect(() => {
    const listener = (event: StorageEvent) => follow(event);
    addEventListener('storage', listener);
    return () => removeEventListener('storage', listener);
  }, []);

  useEffect(() => reportSessionEnd((successor) => end(successor)), []);

  // The session of a page that stays open is refreshed by auth-js, which no screen needs first.
  useEffect(() => whenSettled(() => void backgroundClient().catch(() => undefined)), []);
}
