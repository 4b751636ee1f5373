import { useEffect } from 'react';
import { whenIdle } from './when-idle.ts';

let screensThatWait = 0;
const listeners = new Set<() => void>();

/** Says, for as long as the component is there, that the screen still waits for what it is about to show. */
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
 * Calls `work` once the screen shows what was asked for and the browser is idle, so that a slow connection carries what
 * the screen needs first. Returns how to stop.
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
