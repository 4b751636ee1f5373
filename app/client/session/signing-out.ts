/** The sign-out that is in progress in this tab. */
let signOut: Promise<unknown> | null = null;
/** The token of the session that this tab ended last. */
let endedToken: string | null = null;

/** Whether this tab is ending the session, and will report that itself. */
export function isSigningOut(): boolean {
  return signOut !== null;
}

/** Runs a sign-out. `end` is given a function that notes the token of the session that the service has ended. */
export async function whileSigningOut(end: (noteEnded: (token: string) => void) => Promise<void>): Promise<void> {
  const current = end((token) => {
    endedToken = token;
  });
  signOut = current;
  try {
    await current;
  } finally {
    signOut = null;
  }
}

/** Paths of the services that a session's token is sent to; the auth service's own requests are part of a sign-out. */
const HELD = ['/rest/', '/storage/'];

/**
 * Returns a `fetch` that holds requests back while this tab signs out. Where the service has ended the session since,
 * it returns the service's refusal without sending: such a request can only fail. Otherwise it is sent.
 */
export function holdWhileSigningOut(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!HELD.some((path) => pathname.startsWith(path))) return send(input, init);
    await signOut?.catch(() => undefined);
    const authorization = new Headers(init?.headers).get('Authorization');
    if (endedToken !== null && authorization === `Bearer ${endedToken}`) return new Response(null, { status: 401 });
    return send(input, init);
  };
}
