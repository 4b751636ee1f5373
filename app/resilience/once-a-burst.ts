/** Long enough for the changes of one statement, which arrive one by one. In milliseconds. */
const BURST_MS = 200;

/** Returns a function that does the work once for all calls within a moment, at its end. */
export function onceABurst(work: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      work();
    }, BURST_MS);
  };
}
