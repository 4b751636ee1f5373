import type { Session } from '@supabase/supabase-js';
import * as v from 'valibot';

/** Returns the key of the session in local storage. */
export function sessionStorageKey(storagePrefix: string): string {
  return `${storagePrefix}_supabase_auth`;
}

/** Written by auth-js. */
const storedUser = v.looseObject({
  id: v.string(),
  factors: v.optional(v.array(v.looseObject({ status: v.string() })), []),
});

/** Returns the id of the user whose session is stored under `key`, whether or not it still counts; null without one. */
export function readStoredUserId(key: string): string | null {
  const parsed = v.safeParse(v.object({ user: storedUser }), parse(localStorage.getItem(key) ?? ''));
  return parsed.success ? parsed.output.user.id : null;
}

/** auth-js refreshes a session that ends sooner. */
const ENDS_SOON_MS = 90_000;

const storedSession = v.looseObject({
  access_token: v.string(),
  // In seconds since the epoch.
  expires_at: v.number(),
  user: storedUser,
});

/**
 * Returns the session that auth-js has stored under `key`, without loading auth-js: null where nothing is stored, and `unclear` where
 * only auth-js can say whether it counts, because it is about to end or may owe a second factor.
 */
export function readStoredSession(key: string): Session | null | 'unclear' {
  const stored = localStorage.getItem(key);
  if (stored === null) return null;
  const parsed = v.safeParse(storedSession, parse(stored));
  if (!parsed.success) return 'unclear';
  const { expires_at, user } = parsed.output;
  const endsSoon = expires_at * 1000 - Date.now() < ENDS_SOON_MS;
  const hasFactor = user.factors.some(({ status }) => status === 'verified');
  // auth-js has written it, and reads it back as this type too.
  return endsSoon || hasFactor ? 'unclear' : (parsed.output as unknown as Session);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
