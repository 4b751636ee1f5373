import type { Session } from '@supabase/supabase-js';
import { browserClient, readSession } from './browser-client.ts';

/**
 * Returns the session of this browser, refreshed where it is about to expire; null when signed out and while a second
 * factor is required. Throws where it cannot be refreshed without a connection, which is different from being signed
 * out.
 */
export async function currentSession(): Promise<Session | null> {
  const { session, error } = await Promise.race([readSession(), failsWhenOffline()]);
  if (error?.name === 'AuthRetryableFetchError') throw error;
  return session !== null && hasFactor(session) && (await owesSecondFactor()) ? null : session;
}

function hasFactor({ user: { factors = [] } }: Session): boolean {
  return factors.some(({ status }) => status === 'verified');
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
