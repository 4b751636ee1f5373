import { rememberSignIn } from '#app/browser/has-signed-in.ts';
import { fetchWithRetry } from '#app/resilience/fetch-with-retry.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import type { AppClient } from './app-client.ts';
import { readPublicConfig } from './read-public-config.ts';
import { noticeEndedSession } from './session/session-expiry-fetch.ts';
import { holdWhileSigningOut } from './session/signing-out.ts';

/** The supabase client of this tab. Its library is fetched when the first screen needs it. */
export const browserClient: () => Promise<AppClient> = loadOnce(createBrowserClient);

/** Returns the key of the session in local storage. */
export function sessionStorageKey(storagePrefix: string): string {
  return `${storagePrefix}_supabase_auth`;
}

async function createBrowserClient(): Promise<AppClient> {
  const { composeClient } = await loadPart(() => import('./app-client.ts'));
  const { publishableKey, storagePrefix } = readPublicConfig();
  const created: AppClient = composeClient({
    publishableKey,
    fetch: sessionFetch(() => created),
    auth: {
      storageKey: sessionStorageKey(storagePrefix),
      // Without WebCrypto (plain HTTP from another machine) the client cannot create S256 challenges, and the service
      // refuses plain ones.
      flowType: isSecureContext ? 'pkce' : 'implicit',
      // A sticker's `?code=` is not a sign-in. Only the page /auth/callback begins an exchange, and does so itself.
      detectSessionInUrl: false,
    },
  });
  let userId: string | undefined;
  created.auth.onAuthStateChange((event, session) => {
    rememberSessionHint(session !== null);
    if (session !== null) rememberSignIn(storagePrefix);
    const isAnother = session !== null && userId !== undefined && session.user.id !== userId;
    userId = session?.user.id;
    if (event === 'SIGNED_OUT') announceEnd('none');
    else if (isAnother) onceStored(sessionStorageKey(storagePrefix), session.user.id, () => announceEnd('another'));
  });
  return created;
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
 * Returns a `fetch` that retries what may be retried, holds requests back while this tab signs out, and checks whether a
 * refusal means that the session has ended.
 */
export function sessionFetch(clientOf: () => AppClient): typeof fetch {
  return noticeEndedSession(holdWhileSigningOut(fetchWithRetry()), () => settleRefusedSession(clientOf()));
}

/**
 * Checks a refused session with the service. The client itself drops a session that the service reports as ended; a
 * deleted or banned account must be signed out here. A token that the service cannot verify, because its keys have
 * changed, is refreshed and the new one returned.
 */
async function settleRefusedSession({ auth }: AppClient): Promise<string | null> {
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
