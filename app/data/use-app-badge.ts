import { useEffect } from 'react';

/** Shows a number at the icon of the installed app; 0 shows none. */
export function useAppBadge(count: number): void {
  useEffect(() => {
    // Missing in Firefox, and refused where the app is not installed.
    navigator.setAppBadge?.(count).catch(() => {});
  }, [count]);
}
