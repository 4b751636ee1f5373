import { useSyncExternalStore } from 'react';

/** Whether the page is hydrated. Forms wait for it: before, the browser itself would submit them. */
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
