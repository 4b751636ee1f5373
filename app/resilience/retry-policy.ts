/**
 * The retry policy for all requests: which failures are retried, how long to wait before a retry, and when a connection
 * counts as lost. It imports nothing, because the finder's document includes it.
 */

/** Milliseconds without a response after which a connection counts as lost. */
export const TIMEOUT_MS = 15_000;

/** Milliseconds before each retry. After the last value, it repeats. */
const LADDER_MS = [300, 900, 2_000, 5_000, 10_000, 30_000] as const;

/**
 * How long each kind of retry waits. All are parts of one ladder.
 *
 * - `unseen`: inside one request, while a user waits for its response. It ends after about three seconds.
 * - `shown`: for what a user wrote or saved, while the screen says that it is on its way.
 * - `background`: for a screen that could not be loaded.
 */
export const WAITS_MS = {
  unseen: LADDER_MS.slice(0, 3),
  shown: LADDER_MS.slice(1, 5),
  background: LADDER_MS.slice(2),
} as const;

/** Returns the wait before attempt number `attempt + 2`, for attempts that continue until one succeeds. */
export function waitAfter(attempt: number, waits: readonly number[]): number {
  return waits[Math.min(attempt, waits.length - 1)] ?? 0;
}

/**
 * Whether a gateway responded in place of the service (specification, section 8). The service may not have received the
 * request.
 */
export function isGatewayFailure(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** Whether there was no response, which clients report as status 0, or only a gateway's. */
export function isUnreachable(status: number): boolean {
  return status === 0 || isGatewayFailure(status);
}

/**
 * Sends a request and aborts it where no response begins within `timeoutMs`. The caller's signal also aborts reading
 * the body, which can take longer. Rejects as `fetch` does.
 *
 * @param timeoutMs - Undefined for what may take any time, such as a file.
 * @example const response = await sendWithin(TIMEOUT_MS, (stop) => fetch('/item/tgt-…/conversation', { signal: stop }),
 * signal);
 */
export async function sendWithin(
  timeoutMs: number | undefined,
  send: (signal: AbortSignal) => Promise<Response>,
  signal?: AbortSignal | null,
): Promise<Response> {
  // Implemented by hand, because phones still in use lack AbortSignal.any and AbortSignal.timeout.
  const attempt = new AbortController();
  const abort = () => attempt.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const late =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => attempt.abort(new TypeError('No response came in time.')), timeoutMs);
  try {
    return await send(attempt.signal);
  } catch (error) {
    signal?.removeEventListener('abort', abort);
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Resolves after `milliseconds`. Rejects with the signal's reason as soon as it is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
