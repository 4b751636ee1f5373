import type { AppClient } from './app-client.ts';
import { browserClient } from './browser-client.ts';

/** Waits between attempts, in milliseconds; the last one is kept to. */
const WAITS_MS = [1_000, 2_000, 5_000, 10_000];

const impatience = new EventTarget();

/** Whatever waits for its next attempt makes it at once. */
export function tryAgainNow(): void {
  impatience.dispatchEvent(new Event('now'));
}

/**
 * Saves: attempts until the service has answered, after growing waits, and at once when the connection is back or
 * `tryAgainNow` is called. `onWait` is told each time that nobody has. It goes on whatever screen is shown, and until
 * it is through, closing the tab asks. Nobody else repeats such a call (`is-repeatable.ts`), so that what is not saved
 * is said to be.
 */
export async function untilReached<Answer>(
  attempt: (client: AppClient) => Promise<Answer | 'outOfReach'>,
  onWait: () => void,
): Promise<Answer> {
  addEventListener('beforeunload', keepTab);
  try {
    for (let step = 0; ; step += 1) {
      // Its library may be what cannot be fetched.
      const client = await browserClient().catch(() => null);
      const answer = client === null ? 'outOfReach' : await attempt(client);
      if (answer !== 'outOfReach') return answer;
      onWait();
      await connectionOr(WAITS_MS[Math.min(step, WAITS_MS.length - 1)] ?? 0);
    }
  } finally {
    removeEventListener('beforeunload', keepTab);
  }
}

/** One function for each attempt would ask once for each; this one is registered once, however many wait. */
function keepTab(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function connectionOr(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      impatience.removeEventListener('now', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    impatience.addEventListener('now', done);
  });
}
