import type { Session } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { authPath } from './auth-path.ts';
import { browserClient, sessionStorageKey } from './browser-client.ts';
import { readPublicConfig } from './public-config.ts';
import { storedTagCode } from './stored-tag-code.ts';

/**
 * The session of this browser, renewed where it is near its end; null when signed out.
 * Throws when it cannot be renewed for lack of a connection: that is not the same as signed out.
 */
export async function currentSession(): Promise<Session | null> {
  const { auth } = await browserClient();
  const { data, error } = await auth.getSession();
  if (error?.name === 'AuthRetryableFetchError') throw error;
  return data.session;
}

/** The session, or a redirect to sign-in, thrown for the router. */
export async function requireSession(): Promise<Session> {
  const session = await currentSession();
  if (session === null) throw redirect(authPath(storedTagCode()));
  return session;
}

/** Whether storage holds a session at all. Tells a visitor apart without fetching the library. */
export function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(sessionStorageKey(readPublicConfig().storagePrefix)) !== null;
  } catch {
    return false;
  }
}
