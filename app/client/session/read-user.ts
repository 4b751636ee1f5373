import type { User } from '@supabase/supabase-js';
import { browserClient, sessionFetch } from '../browser-client.ts';

/** Reads the account from the service, so that a link followed elsewhere is noticed. Throws the service's error. */
export async function readUser(): Promise<User> {
  const response = await sessionFetch()(`${location.origin}/auth/v1/user`);
  // The service's own object, which auth-js passes on unchanged too.
  if (response.ok) return (await response.json()) as User;
  // What a refusal means for the session is up to auth-js.
  const { data, error } = await (await browserClient()).auth.getUser();
  if (error) throw error;
  return data.user;
}
