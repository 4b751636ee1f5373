/** Milliseconds after which a service that has not answered counts as out of reach. */
const PATIENCE_MS = 4_000;

/** Whether the service answers just now: asked of it, because a browser can think that it has a connection. Never rejects. */
export async function isReachable(): Promise<boolean> {
  if (!navigator.onLine) return false;
  const attempt = new AbortController();
  const late = setTimeout(() => attempt.abort(), PATIENCE_MS);
  try {
    return (await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store', signal: attempt.signal })).ok;
  } catch {
    return false;
  } finally {
    clearTimeout(late);
  }
}
