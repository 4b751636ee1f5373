import type { AuthError, Session } from '@supabase/supabase-js';
import { rememberSignIn } from '#app/browser/has-signed-in.ts';
import { fetchWithRetry } from '#app/resilience/fetch-with-retry.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import type { AppClient } from './app-client.ts';
import type { DataClient } from './data-client.ts';
import { readPublicConfig } from './read-public-config.ts';
import { noticeEndedSession } from './session/session-expiry-fetch.ts';
import { holdWhileSigningOut } from './session/signing-out.ts';
import { readStoredSession, sessionStorageKey } from './session/stored-session.ts';

/** The data client of this tab, which needs no auth-js as long as the stored session is clear. */
export const dataClient: () => Promise<DataClient> = loadOnce(async () => {
  const { composeDataClient } = await loadPart(() => import('./data-client.ts'));
  return composeDataClient(sessionFetch());
});

/** The supabase client of this tab. Its libraries are fetched when they are first needed. */
export const browserClient: () => Promise<AppClient> = loadOnce(async () => {
  const [auth, data] = await Promise.all([authClient(), dataClient()]);
  return { auth, ...data };
});

const authClient = loadOnce(createAuthClient);
let isAuthLoaded = false;

async function createAuthClient(): Promise<AppClient['auth']> {
  const { composeAuth } = await loadPart(() => import('./app-client.ts'));
  const { publishableKey, storagePrefix } = readPublicConfig();
  const auth = composeAuth({
    publishableKey,
    fetch: fetchWithRetry(),
    auth: {
      storageKey: sessionStorageKey(storagePrefix),
      // Without WebCrypto (plain HTTP from another machine) the client cannot create S256 challenges, and the service
      // refuses plain ones.
      flowType: isSecureContext ? 'pkce' : 'implicit',
      // A sticker's `?code=` is not a sign-in. Only the page /auth/callback begins an exchange, and does so itself.
      detectSessionInUrl: false,
    },
  });
  isAuthLoaded = true;
  let userId: string | undefined;
  auth.onAuthStateChange((event, session) => {
    rememberSessionHint(session !== null);
    if (session !== null) rememberSignIn(storagePrefix);
    const isAnother = session !== null && userId !== undefined && session.user.id !== userId;
    userId = session?.user.id;
    if (event === 'SIGNED_OUT') announceEnd('none');
    else if (isAnother) onceStored(sessionStorageKey(storagePrefix), session.user.id, () => announceEnd('another'));
  });
  return auth;
}

/** Whether auth-js is loaded. It then reports that the session has ended, also in another tab. */
export function reportsSessionEnd(): boolean {
  return isAuthLoaded;
}

/**
 * Returns the stored session where it is clear without auth-js, and otherwise what auth-js says; `error` is why it could
 * not refresh the session. Once auth-js is there it decides alone, because it may be changing the session.
 */
export async function readSession(): Promise<{ readonly session: Session | null; readonly error: AuthError | null }> {
  const stored = isAuthLoaded ? 'unclear' : readStoredSession(sessionStorageKey(readPublicConfig().storagePrefix));
  if (stored !== 'unclear') return { session: stored, error: null };
  const { data, error } = await (await authClient()).getSession();
  return { session: data.session, error };
}

/**
 * Calls `then` once this tab finds the user's session in local storage. Another tab's message about a session can
 * arrive before the storage is synchronized, and requests sent until then would use the previous user's session.
 */
function onceStored(key: string, userId: string, then: () => void): void {
  const look = () => {
    if (localStorage.getItem(key)?.includes(userId) !== true) return;
    removeEventListener('storage', look);
    then();
  };
  addEventListener('storage', look);
  look();
}

/**
 * Returns a `fetch` for the data and file services. It adds the API key and the session's token; without a session the
 * caller is a visitor. `send` by default retries what may be retried, holds requests back while this tab signs out, and
 * checks whether a refusal means that the session has ended.
 */
export function sessionFetch(
  send: typeof fetch = noticeEndedSession(holdWhileSigningOut(fetchWithRetry()), settleRefusedSession),
): typeof fetch {
  const { publishableKey } = readPublicConfig();
  return async (input, init) => {
    const { session } = await readSession();
    const headers = new Headers(init?.headers);
    if (!headers.has('apikey')) headers.set('apikey', publishableKey);
    if (!headers.has('Authorization')) {
      headers.set('Authorization', `Bearer ${session?.access_token ?? publishableKey}`);
    }
    return send(input, { ...init, headers });
  };
}

/**
 * Checks a refused session with the service. The client itself drops a session that the service reports as ended; a
 * deleted or banned account must be signed out here. A token that the service cannot verify, because its keys have
 * changed, is refreshed and the new one returned.
 */
async function settleRefusedSession(): Promise<string | null> {
  const auth = await authClient();
  const { error } = await auth.getUser();
  if (error?.code === 'user_not_found' || error?.code === 'user_banned') await auth.signOut({ scope: 'local' });
  if (error?.code !== 'bad_jwt') return null;
  const { data } = await auth.refreshSession();
  return data.session?.access_token ?? null;
}

/** Who is signed in after a session has ended: another user may have signed in in another tab. */
export type Successor = 'none' | 'another';

const endListeners = new Set<(successor: Successor) => void>();
/** The latest end that no screen has reported. The session can end while the first screen is loading. */
let unreported: Successor | null = null;

function announceEnd(successor: Successor): void {
  unreported = successor;
  for (const listener of endListeners) listener(successor);
}

/** Calls the listener when the session of this browser ends for any reason. Returns a function that unsubscribes. */
export function onSessionEnd(listener: (successor: Successor) => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

/** As `onSessionEnd`, for who reports it: the listener is also called at once for an end that nothing has reported. */
export function reportSessionEnd(report: (successor: Successor) => void): () => void {
  const listener = (successor: Successor) => {
    unreported = null;
    report(successor);
  };
  if (unreported !== null) listener(unreported);
  return onSessionEnd(listener);
}

/**
 * Makes a call with the client, for `retryUntilOnline`. Also returns `unreachable` where the client's own code could
 * not be fetched.
 */
export function withBrowserClient<Result>(
  call: (client: AppClient) => Promise<Result>,
): () => Promise<Result | 'unreachable'> {
  return async () => {
    const client = await browserClient().catch(() => null);
    return client === null ? 'unreachable' : call(client);
  };
}

/** In seconds: the longest life that browsers allow a cookie. */
const LONGEST_COOKIE = 400 * 24 * 60 * 60;

/**
 * Sets the cookie by which the server selects the page to send (the app or the finder's document). It is a hint without
 * any permissions: the session itself stays in this browser's storage.
 */
function rememberSessionHint(signedIn: boolean): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  const life = signedIn ? LONGEST_COOKIE : 0;
  // biome-ignore lint/suspicious/noDocumentCookie: not every supported browser has the Cookie Store API
  document.cookie = `${readPublicConfig().storagePrefix}_signed_in=1; path=/; samesite=lax; max-age=${life}${secure}`;
}
