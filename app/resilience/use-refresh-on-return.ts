import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';

/** Reloads the screen when the user returns to it, such as after following a link in a mail. */
export function useRefreshOnReturn(): void {
  const { revalidate } = useRevalidator();
  const refresh = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void revalidate();
  });
  useEffect(() => {
    const listener = () => refresh();
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  }, []);
}
