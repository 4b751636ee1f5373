import { isReachable } from '#app/lib/is-reachable.ts';

/** Milliseconds between attempts; the last one repeats. */
const WAITS_MS = [2_000, 4_000, 8_000, 16_000, 30_000];

/** Loads the page anew once it can be had: asked for less and less often, and at once when the connection is back. */
async function tryAgain(): Promise<void> {
  if (await isReachable()) location.reload();
}

function tryIn(attempt: number): void {
  setTimeout(() => void tryAgain().finally(() => tryIn(attempt + 1)), WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)]);
}

document.querySelector('[data-again]')?.addEventListener('click', () => location.reload());
addEventListener('online', () => void tryAgain());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void tryAgain();
});
tryIn(0);
