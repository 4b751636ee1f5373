import { useSyncExternalStore } from 'react';

/** Whether this page's script is at work. What needs it waits for it: until then a form would be sent by the browser itself. */
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
