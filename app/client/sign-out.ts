import type { AuthError } from '@supabase/supabase-js';
import { showAppBadge } from '#app/ui/show-app-badge.ts';
import type { AppClient } from './app-client.ts';
import { browserClient } from './browser-client.ts';
import { privateStorageKey } from './private-storage.ts';
import { readPublicConfig } from './read-public-config.ts';
import { whileSigningOut } from './session/signing-out.ts';
import { sessionStorageKey } from './session/stored-session.ts';
import { mayHaveSession } from './session.ts';

/**
 * Ends this browser's session, first at the service and then here. Throws where the service was not reached; the
 * session then remains.
 */
export async function signOut(): Promise<void> {
  await whileSigningOut(async (noteEnded) => {
    const { auth } = await browserClient();
    const { data, error } = await auth.getSession();
    if (error?.name === 'AuthRetryableFetchError') throw error;
    if (data.session !== null) {
      const { error: refused } = await auth.admin.signOut(data.session.access_token, 'local');
      if (refused && !isOver(refused)) throw refused;
      noteEnded(data.session.access_token);
      // The client removes the session before it calls the service. Without a session it does not call a second time.
      if (mayHaveSession()) localStorage.removeItem(sessionStorageKey(readPublicConfig().storagePrefix));
    }
    await leave(auth);
  });
}

/**
 * Removes this browser's session at once, and ends it at the service if possible. For a session that is no longer
 * valid.
 */
export async function clearSession(): Promise<void> {
  await whileSigningOut(async () => {
    const { auth } = await browserClient();
    await leave(auth);
  });
}

/** Removes the session from this browser, and what was kept for it. */
async function leave(auth: AppClient['auth']): Promise<void> {
  await auth.signOut({ scope: 'local' });
  showAppBadge(0);
  try {
    localStorage.removeItem(privateStorageKey());
  } catch {
    // Without storage nothing is kept.
  }
}

/** The session or the account no longer exists. */
function isOver({ name, status }: AuthError): boolean {
  return name === 'AuthSessionMissingError' || status === 401 || status === 403 || status === 404;
}
