import { isRetryable } from './is-retryable.ts';
import { isGatewayFailure, pause, sendWithin, TIMEOUT_MS, WAITS_MS } from './retry-policy.ts';

/** The longest `Retry-After` that is awaited, in milliseconds. With a longer one the response is returned. */
const LONGEST_WAIT_MS = 5_000;

export interface FetchWithRetryOptions {
  readonly fetch?: typeof fetch;
  /** Milliseconds before each retry. */
  readonly waits?: readonly number[];
  /** Milliseconds without a response after which an attempt is aborted. */
  readonly timeout?: number;
  /** Returns false only where the browser certainly has no connection. */
  readonly isOnline?: () => boolean;
}

/**
 * Creates a `fetch` that retries requests which may be sent twice (`isRetryable`) when a gateway or the connection
 * fails, a few times within about three seconds. It aborts a silent connection. Offline it rejects at once, so that a
 * tap has an immediate effect.
 *
 * @example
 * const send = fetchWithRetry();
 * const response = await send('/rest/v1/items?select=id'); // a 503 of the gateway is retried
 */
export function fetchWithRetry({
  fetch: send = fetch,
  waits = WAITS_MS.unseen,
  timeout = TIMEOUT_MS,
  isOnline = () => navigator.onLine !== false,
}: FetchWithRetryOptions = {}): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { method = 'GET', signal } = init;
    const retryable = isRetryable(method, url);
    // An upload may take any time.
    const isUpload = url.pathname.startsWith('/storage/') && init.body != null;
    for (let attempt = 0; ; attempt += 1) {
      if (signal?.aborted === true) throw signal.reason;
      if (!isOnline()) throw new TypeError('There is no connection.');
      const wait = retryable ? waits[attempt] : undefined;
      const outcome = await sendWithin(
        isUpload ? undefined : timeout,
        (stop) => send(input, { ...init, signal: stop }),
        signal,
      ).catch((error: unknown) => {
        // The caller has aborted, or no attempts are left.
        if (signal?.aborted === true || wait === undefined) throw error;
        return null;
      });
      if (outcome !== null && (wait === undefined || !isGatewayFailure(outcome.status))) return outcome;
      const asked = Number(outcome?.headers.get('retry-after') ?? 0) * 1_000 || 0;
      if (outcome !== null && asked > LONGEST_WAIT_MS) return outcome;
      await outcome?.body?.cancel();
      await pause(Math.max(asked, jittered(wait ?? 0)), signal);
    }
  };
}

/** Returns between half and all of the time, so that many browsers do not retry at the same moment. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2);
}
