import { isReachable } from '#app/resilience/is-reachable.ts';

/** Milliseconds between attempts; the last value repeats. */
const WAITS_MS = [2_000, 4_000, 8_000, 16_000, 30_000];

/** Reloads the page once it is reachable: retries at growing intervals, and at once when the connection is back. */
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
