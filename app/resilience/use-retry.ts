import { useEffect, useEffectEvent } from 'react';
import { useOnline } from './use-online.ts';

/** Milliseconds between attempts; the last one repeats. */
const WAITS_MS = [2_000, 4_000, 8_000, 16_000, 30_000];

/**
 * Calls `retry` while the component is there: less and less often, and at once when the connection is back. Whether
 * the service can be reached is only known by asking it, so each attempt is the real thing. Returns whether the
 * browser has a connection.
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
      timer = setTimeout(next, WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)]);
    };
    wait(0);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [online]);
  return online;
}
