/** How each service refuses a bearer token: the data service with 401, the file service with 400. */
const REFUSALS: readonly (readonly [path: string, statuses: readonly number[]])[] = [
  ['/rest/', [401]],
  ['/storage/', [400, 401, 403]],
];

/**
 * Returns a `fetch` that waits for `settle` before it returns a response which may mean that the session has ended, so
 * that its reader finds the browser already signed in or out accordingly. Concurrent refusals share one call of
 * `settle`. Where it returns a new token, the request is sent once more with that.
 */
export function noticeEndedSession(send: typeof fetch, settle: () => Promise<string | null>): typeof fetch {
  let settling: Promise<string | null> | null = null;
  return async (input, init) => {
    const response = await send(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!REFUSALS.some(([path, statuses]) => pathname.startsWith(path) && statuses.includes(response.status))) {
      return response;
    }
    settling ??= settle().finally(() => {
      settling = null;
    });
    // A failure of `settle` must not hide the original refusal.
    const token = await settling.catch(() => null);
    if (token === null) return response;
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${token}`);
    return send(input, { ...init, headers });
  };
}
