import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

/** Whether the browser has a connection. Calls `retry` each time that it comes back. */
export function useRetryWhenOnline(retry: () => Promise<void>): boolean {
  const again = useEffectEvent(() => void retry());
  useEffect(() => {
    const onOnline = () => again();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
