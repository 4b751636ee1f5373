import { loadOnce } from '#app/ui/load-once.ts';
import type { AppClient } from './app-client.ts';
import { noticeEndedSession } from './notice-ended-session.ts';
import { patientFetch } from './patient-fetch.ts';
import { readPublicConfig } from './public-config.ts';
import { rememberSessionHint } from './session-hint.ts';

/** The one client of this tab. Its library is fetched when the first screen asks for it. */
export const browserClient: () => Promise<AppClient> = loadOnce(createBrowserClient);

/** The key under which the session stands in local storage. */
export function sessionStorageKey(storagePrefix: string): string {
  return `${storagePrefix}_supabase_auth`;
}

async function createBrowserClient(): Promise<AppClient> {
  const { composeClient } = await import('./compose-client.ts');
  const { publishableKey, storagePrefix } = readPublicConfig();
  const created: AppClient = composeClient({
    publishableKey,
    fetch: sessionFetch(() => created),
    auth: {
      storageKey: sessionStorageKey(storagePrefix),
      // Without WebCrypto, on plain HTTP from another machine, the client could only make keys that the service refuses.
      flowType: isSecureContext ? 'pkce' : 'implicit',
      // A sticker's `?code=` is no sign-in: the page of /auth/callback begins an exchange itself, and no other does.
      detectSessionInUrl: false,
    },
  });
  let userId: string | undefined;
  created.auth.onAuthStateChange((event, session) => {
    rememberSessionHint(session !== null);
    const isAnother = session !== null && userId !== undefined && session.user.id !== userId;
    userId = session?.user.id;
    if (event === 'SIGNED_OUT') tellOfEnd('nobody');
    else if (isAnother) onceStored(sessionStorageKey(storagePrefix), session.user.id, () => tellOfEnd('another'));
  });
  return created;
}

/**
 * Calls `then` once this tab finds the user's session in storage. Another tab's message of it can be quicker than the
 * storage that the tabs share, and what is asked for meanwhile is asked for as the user before.
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

/** A `fetch` that repeats what may be repeated, and finds out whether a refusal means that the session has ended. */
export function sessionFetch(clientOf: () => AppClient): typeof fetch {
  return noticeEndedSession(patientFetch(), () => settleRefusedSession(clientOf()));
}

/**
 * The client itself forgets a session that its service calls ended; of an account that is gone it would go on. And it
 * would keep a token that the service cannot verify, since its keys were changed, until that runs out: then the session
 * gets another, which is the answer.
 */
async function settleRefusedSession({ auth }: AppClient): Promise<string | null> {
  const { error } = await auth.getUser();
  if (error?.code === 'user_not_found' || error?.code === 'user_banned') await auth.signOut({ scope: 'local' });
  if (error?.code !== 'bad_jwt') return null;
  const { data } = await auth.refreshSession();
  return data.session?.access_token ?? null;
}

/** Who is signed in when a session has ended: somebody else may have signed in over it, in another tab. */
export type Successor = 'nobody' | 'another';

const endListeners = new Set<(successor: Successor) => void>();

function tellOfEnd(successor: Successor): void {
  for (const listener of endListeners) listener(successor);
}

/** Calls the listener when the session of this browser ends, for whatever reason. Returns how to stop. */
export function onSessionEnd(listener: (successor: Successor) => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}
