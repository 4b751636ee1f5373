import type { AuthError } from '@supabase/supabase-js';
import type { AppClient } from './app-client.ts';
import { browserClient, sessionStorageKey } from './browser-client.ts';
import { readPublicConfig } from './public-config.ts';
import { mayHaveSession } from './session.ts';

let leaving = false;

/** Whether the session is being ended from this tab, which then says so itself. */
export function isSigningOut(): boolean {
  return leaving;
}

/** Ends this browser's session, at the service and then here. Throws when the service was not told: it stands then. */
export async function signOut(): Promise<void> {
  await leave(async ({ auth }) => {
    const { data, error } = await auth.getSession();
    if (error?.name === 'AuthRetryableFetchError') throw error;
    if (data.session !== null) {
      const { error: refused } = await auth.admin.signOut(data.session.access_token, 'local');
      if (refused && !isOver(refused)) throw refused;
      // The client forgets first and tells the service then; without a session it tells nobody a second time.
      if (mayHaveSession()) localStorage.removeItem(sessionStorageKey(readPublicConfig().storagePrefix));
    }
    await auth.signOut({ scope: 'local' });
  });
}

/** Forgets this browser's session at once, and tells the service if that can be: for a session that is worth nothing. */
export async function forgetSession(): Promise<void> {
  await leave(async ({ auth }) => {
    await auth.signOut({ scope: 'local' });
  });
}

async function leave(end: (client: AppClient) => Promise<void>): Promise<void> {
  leaving = true;
  try {
    await end(await browserClient());
  } finally {
    leaving = false;
  }
}

/** The service knows no such session, or no such account, any more. */
function isOver({ name, status }: AuthError): boolean {
  return name === 'AuthSessionMissingError' || status === 401 || status === 403 || status === 404;
}
