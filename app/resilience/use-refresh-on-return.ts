import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';

/** Loads the screen anew when somebody comes back to it, such as from the mail in which they have followed a link. */
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
