import type { Session } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { authPath } from './auth-path.ts';
import { browserClient, sessionStorageKey } from './browser-client.ts';
import { readPublicConfig } from './public-config.ts';
import { rememberReturnPath } from './return-path.ts';
import { rememberTagCode } from './stored-tag-code.ts';

/**
 * The session of this browser, renewed where it is near its end; null when signed out, and while a second factor is
 * owed. Throws when it cannot be renewed for lack of a connection: that is not the same as signed out.
 */
export async function currentSession(): Promise<Session | null> {
  const { auth } = await browserClient();
  const { data, error } = await Promise.race([auth.getSession(), failsWhenOffline()]);
  if (error?.name === 'AuthRetryableFetchError') throw error;
  return data.session !== null && (await owesSecondFactor()) ? null : data.session;
}

/** Milliseconds for a session that needs no renewal, which is read from storage alone. */
const READS_STORAGE_MS = 500;

/** The client tries to renew a session for half a minute. Offline nobody has to wait for that. */
function failsWhenOffline(): Promise<never> {
  return new Promise((_, reject) => {
    if (navigator.onLine) return;
    setTimeout(() => reject(new TypeError('There is no connection.')), READS_STORAGE_MS);
  });
}

/** Whether this browser has shown a password, and not yet the second factor that the account has. */
export async function owesSecondFactor(): Promise<boolean> {
  const { auth } = await browserClient();
  const { data } = await auth.mfa.getAuthenticatorAssuranceLevel();
  return data !== null && data.nextLevel === 'aal2' && data.currentLevel !== 'aal2';
}

/** The session, or a redirect to sign-in, thrown for the router. Signing in leads back to `request`'s address. */
export async function requireSession(request: Request): Promise<Session> {
  const session = await currentSession();
  if (session !== null) return session;
  rememberReturnPath(request.url);
  throw redirect(authPath(rememberTagCode(new URL(request.url))));
}

/** Whether storage holds a session at all. Tells a visitor apart without fetching the library. */
export function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(sessionStorageKey(readPublicConfig().storagePrefix)) !== null;
  } catch {
    return false;
  }
}
