import { useEffect } from 'react';

/** Calls `work` when the browser is idle. Returns a function that cancels the call. */
export function whenIdle(work: () => void): () => void {
  // Safari has no `requestIdleCallback`; a short delay serves as well.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 500);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(work, { timeout: 3_000 });
  return () => cancelIdleCallback(request);
}

let screensThatWait = 0;
const listeners = new Set<() => void>();

/** While the component is mounted, marks the screen as still loading (see `whenSettled`). */
export function useUnsettled(): void {
  useEffect(() => {
    screensThatWait += 1;
    return () => {
      screensThatWait -= 1;
      if (screensThatWait === 0) for (const listener of listeners) listener();
    };
  }, []);
}

/**
 * Calls `work` once the screen has loaded and the browser is idle, so that on a slow connection the screen loads first.
 * Returns a function that cancels the call.
 */
export function whenSettled(work: () => void): () => void {
  let stopIdle = () => {};
  const attempt = () => {
    stopIdle();
    stopIdle = whenIdle(() => {
      if (screensThatWait > 0) return;
      listeners.delete(attempt);
      work();
    });
  };
  listeners.add(attempt);
  attempt();
  return () => {
    listeners.delete(attempt);
    stopIdle();
  };
}
