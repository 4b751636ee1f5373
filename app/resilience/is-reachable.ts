import { sendWithin } from './retry-policy.ts';

/** Milliseconds without a response after which a service counts as unreachable. Short, because a user is waiting. */
const PROBE_TIMEOUT_MS = 4_000;

/**
 * Whether the service responds now. Sends a request, because `navigator.onLine` can be true without a connection. Never
 * rejects.
 */
export async function isReachable(): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    const probe = (signal: AbortSignal) => fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store', signal });
    return (await sendWithin(PROBE_TIMEOUT_MS, probe)).ok;
  } catch {
    return false;
  }
}
