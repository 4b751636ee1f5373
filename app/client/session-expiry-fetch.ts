/** What a service says to a bearer that it does not take: the data service says 401, the file service 400. */
const REFUSALS: readonly (readonly [path: string, statuses: readonly number[]])[] = [
  ['/rest/', [401]],
  ['/storage/', [400, 401, 403]],
];

/**
 * A `fetch` that has `settle` finish before it hands on an answer that could mean that the session has ended, so that
 * whoever reads the answer finds the browser as it is then: signed in, or signed out. Of calls that are refused together
 * only one asks. Where `settle` found another token for the session, the call is made once more with that.
 */
export function noticeEndedSession(send: typeof fetch, settle: () => Promise<string | null>): typeof fetch {
  let settling: Promise<string | null> | null = null;
  return async (input, init) => {
    const answer = await send(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!REFUSALS.some(([path, statuses]) => pathname.startsWith(path) && statuses.includes(answer.status))) {
      return answer;
    }
    settling ??= settle().finally(() => {
      settling = null;
    });
    // Whoever asked for data is told of the data's refusal, whatever becomes of this question.
    const token = await settling.catch(() => null);
    if (token === null) return answer;
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${token}`);
    return send(input, { ...init, headers });
  };
}
