/** Calls `work` once this screen has had its own share of the connection. Returns how to stop. */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callback; a moment is as good.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 500);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(work, { timeout: 3_000 });
  return () => cancelIdleCallback(request);
}
