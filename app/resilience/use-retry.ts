import { useEffect, useEffectEvent } from 'react';
import { WAITS_MS, waitAfter } from './retry-policy.ts';
import { useOnline } from './use-online.ts';

/**
 * Calls `retry` at growing intervals while the component is mounted, and at once when the connection is back. Each
 * attempt is the real request, because only that shows whether the service is reachable. Returns whether the browser
 * has a connection.
 *
 * @example const online = useRetry(() => revalidate());
 */
export function useRetry(retry: () => Promise<void>): boolean {
  const online = useOnline();
  const again = useEffectEvent(() => retry());

  useEffect(() => {
    const onOnline = () => void again();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
  useEffect(() => {
    if (!online) return;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (attempt: number) => {
      if (stopped) return;
      const next = () => void again().finally(() => wait(attempt + 1));
      timer = setTimeout(next, waitAfter(attempt, WAITS_MS.background));
    };
    wait(0);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [online]);
  return online;
}
