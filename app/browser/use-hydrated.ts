import { useSyncExternalStore } from 'react';

/** Whether the page is hydrated. Without scripts it never is. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

function neverChanges(): () => void {
  return () => {};
}
