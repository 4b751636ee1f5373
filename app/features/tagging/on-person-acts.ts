const ACTS = ['pointerdown', 'keydown', 'focusin', 'wheel', 'touchmove', 'beforeprint'] as const;

/** Calls `act` once the person touches, scrolls, types, focuses or prints. Returns how to stop watching. */
export function onPersonActs(act: () => void): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true };
  for (const type of ACTS) addEventListener(type, act, options);
  // The screen that was just shown may scroll by itself, in the frame in which it is laid out: the person scrolls later.
  requestAnimationFrame(() => requestAnimationFrame(() => addEventListener('scroll', act, options)));
  return () => stop.abort();
}
