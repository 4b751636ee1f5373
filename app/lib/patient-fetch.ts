import { isRepeatable } from './is-repeatable.ts';

/** Statuses of a gateway that could not reach the service: the next attempt may be luckier (specification, section 8). */
const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];
/** Milliseconds before each further attempt. */
const WAITS_MS = [300, 900, 2_000];
/** Milliseconds that a service may ask for in `Retry-After`; where it asks for more, its answer is the answer. */
const LONGEST_WAIT_MS = 5_000;
/** Milliseconds without an answer after which a connection counts as lost. */
const PATIENCE_MS = 15_000;

export interface PatientFetchOptions {
  readonly fetch?: typeof fetch;
  readonly waits?: readonly number[];
  readonly patience?: number;
  /** False only where the browser is certain that there is no connection. */
  readonly isOnline?: () => boolean;
}

/**
 * A `fetch` that repeats what may be repeated (`isRepeatable`) when a gateway or the connection fails, a few times within
 * about three seconds; it gives up on a connection that says nothing. Offline it rejects at once, so that a tap is
 * answered at once.
 */
export function patientFetch({
  fetch: send = fetch,
  waits = WAITS_MS,
  patience = PATIENCE_MS,
  isOnline = () => navigator.onLine !== false,
}: PatientFetchOptions = {}): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { method = 'GET', signal } = init;
    const repeatable = isRepeatable(method, url);
    // A file takes as long as it takes.
    const isUpload = url.pathname.startsWith('/storage/') && init.body != null;
    for (let attempt = 0; ; attempt += 1) {
      if (signal?.aborted === true) throw signal.reason;
      if (!isOnline()) throw new TypeError('There is no connection.');
      const wait = repeatable ? waits[attempt] : undefined;
      const outcome = await sendOnce((stop) => send(input, { ...init, signal: stop }), {
        signal,
        patience: isUpload ? undefined : patience,
      }).catch((error: unknown) => {
        // Who asked has lost interest, or nobody may ask again.
        if (signal?.aborted === true || wait === undefined) throw error;
        return null;
      });
      if (outcome !== null && (wait === undefined || !GATEWAY_STATUSES.includes(outcome.status))) return outcome;
      const asked = Number(outcome?.headers.get('retry-after') ?? 0) * 1_000 || 0;
      if (outcome !== null && asked > LONGEST_WAIT_MS) return outcome;
      await outcome?.body?.cancel();
      await pause(Math.max(asked, jittered(wait ?? 0)), signal);
    }
  };
}

interface Attempt {
  readonly signal: AbortSignal | null | undefined;
  readonly patience: number | undefined;
}

/**
 * One attempt. It is given up when no response begins within `patience` milliseconds. The caller's signal also ends the
 * reading of the body, which may come long after the response has begun.
 */
async function sendOnce(
  send: (signal: AbortSignal) => Promise<Response>,
  { signal, patience }: Attempt,
): Promise<Response> {
  // By hand: AbortSignal.any and .timeout are missing on phones that are still in use.
  const attempt = new AbortController();
  const giveUp = () => attempt.abort(signal?.reason);
  signal?.addEventListener('abort', giveUp, { once: true });
  const late =
    patience === undefined
      ? undefined
      : setTimeout(() => attempt.abort(new TypeError('No answer came in time.')), patience);
  try {
    return await send(attempt.signal);
  } catch (error) {
    signal?.removeEventListener('abort', giveUp);
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Between a half and the whole of it, so that many browsers do not come back at the same moment. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2);
}

function pause(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
