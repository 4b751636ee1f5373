import { useEffect, useState } from 'react';

/** Returns the whole seconds until a time (milliseconds since the epoch), counting down to 0. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  const running = left > 0;

  useEffect(() => {
    setNow(Date.now());
    if (!running || until < Date.now()) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until, running]);

  return left;
}
