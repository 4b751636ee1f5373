import type { SupabaseClient } from '@supabase/supabase-js';
import type { Lies, SoftwareKey } from './software-key.ts';

/** Adds a passkey to the account that is signed in, with the official client. Returns its response. */
export async function registerKey(auth: SupabaseClient['auth'], key: SoftwareKey, lies: Lies = {}) {
  const { data, error } = await auth.passkey.startRegistration();
  if (error !== null) return { data: null, error };
  const credential = key.create(data.options, lies);
  return auth.passkey.verifyRegistration({ challengeId: data.challenge_id, credential });
}
