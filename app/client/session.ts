import type { Session } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import * as v from 'valibot';
import { browserClient, sessionStorageKey } from './browser-client.ts';
import { readPublicConfig } from './public-config.ts';
import { authPath, rememberReturnPath } from './return-path.ts';
import { rememberTagCode } from './stored-tag-code.ts';

/**
 * Returns the session of this browser, refreshed where it is about to expire; null when signed out and while a second
 * factor is required. Throws where it cannot be refreshed without a connection, which is different from being signed
 * out.
 */
export async function currentSession(): Promise<Session | null> {
  const { auth } = await browserClient();
  const { data, error } = await Promise.race([auth.getSession(), failsWhenOffline()]);
  if (error?.name === 'AuthRetryableFetchError') throw error;
  return data.session !== null && (await owesSecondFactor()) ? null : data.session;
}

/** Milliseconds for a session that needs no refresh and is only read from storage. */
const READS_STORAGE_MS = 500;

/** The client retries a refresh for half a minute, which is pointless while offline. */
function failsWhenOffline(): Promise<never> {
  return new Promise((_, reject) => {
    if (navigator.onLine) return;
    setTimeout(() => reject(new TypeError('There is no connection.')), READS_STORAGE_MS);
  });
}

/** Whether this browser has shown a password, but not yet the account's second factor. */
export async function owesSecondFactor(): Promise<boolean> {
  const { auth } = await browserClient();
  const { data } = await auth.mfa.getAuthenticatorAssuranceLevel();
  return data !== null && data.nextLevel === 'aal2' && data.currentLevel !== 'aal2';
}

/** Returns the session, or throws the router's redirect to the sign-in, which leads back to the URL of `request`. */
export async function requireSession(request: Request): Promise<Session> {
  const session = await currentSession();
  if (session !== null) return session;
  rememberReturnPath(request.url);
  throw redirect(authPath(rememberTagCode(new URL(request.url))));
}

/**
 * Returns the id of the user whose session is stored, also where it cannot be refreshed at the moment; null without one.
 * Only tells accounts apart: what a session allows is the service's decision.
 */
export function storedUserId(): string | null {
  try {
    const stored = localStorage.getItem(sessionStorageKey(readPublicConfig().storagePrefix));
    const parsed = v.safeParse(storedSession, JSON.parse(stored ?? 'null'));
    return parsed.success ? parsed.output.user.id : null;
  } catch {
    return null;
  }
}

/** Written by auth-js. */
const storedSession = v.object({ user: v.object({ id: v.string() }) });

/** Whether storage contains a session. Recognizes a visitor without fetching the library. */
export function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(sessionStorageKey(readPublicConfig().storagePrefix)) !== null;
  } catch {
    return false;
  }
}
