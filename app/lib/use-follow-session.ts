import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { sessionStorageKey } from './browser-client.ts';
import { usePublicConfig } from './public-config.ts';

/** Loads the screen anew when another tab signs in or out, so that no tab shows what it no longer may. */
export function useFollowSession(): void {
  const key = sessionStorageKey(usePublicConfig().storagePrefix);
  const { revalidate } = useRevalidator();
  const follow = useEffectEvent((event: StorageEvent) => {
    const changed = event.key === key && (event.oldValue === null) !== (event.newValue === null);
    if (changed) void revalidate();
  });
  useEffect(() => {
    const listener = (event: StorageEvent) => follow(event);
    addEventListener('storage', listener);
    return () => removeEventListener('storage', listener);
  }, []);
}
