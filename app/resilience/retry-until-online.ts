import { WAITS_MS, waitAfter } from './retry-policy.ts';

const retryEvents = new EventTarget();

/** Retries all waiting calls at once. */
export function tryAgainNow(): void {
  retryEvents.dispatchEvent(new Event('now'));
}

/**
 * Attempts to save until the service responds: at growing intervals, and at once when the connection is back or
 * `tryAgainNow` is called. Calls `onWait` after each attempt without a response.
 *
 * It continues across screens, and until it succeeds the browser asks for confirmation before it closes the tab. No
 * other layer retries such a call (`is-retryable.ts`), so that the screen can show what is not saved yet.
 *
 * @example const saved = await retryUntilOnline(() => saveItem(item), () => setState('waiting'));
 */
export async function retryUntilOnline<Result>(
  attempt: () => Promise<Result | 'unreachable'>,
  onWait: () => void,
): Promise<Result> {
  addEventListener('beforeunload', keepTab);
  try {
    for (let attempted = 0; ; attempted += 1) {
      const response = await attempt();
      if (response !== 'unreachable') return response;
      onWait();
      await connectionOr(waitAfter(attempted, WAITS_MS.shown));
    }
  } finally {
    removeEventListener('beforeunload', keepTab);
  }
}

/**
 * A single function, which is registered only once however many calls wait. A function per call would ask once for
 * each.
 */
function keepTab(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Resolves after the wait, and at once when the connection is back or `tryAgainNow` is called. */
export function connectionOr(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      retryEvents.removeEventListener('now', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    retryEvents.addEventListener('now', done);
  });
}
