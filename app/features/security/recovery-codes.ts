import type { SupabaseClient } from '@supabase/supabase-js';

/** New codes in place of all older ones; nobody is told them again. Throws the data service's error. */
export async function makeRecoveryCodes(client: SupabaseClient): Promise<string[]> {
  const { data, error } = await client.rpc('make_recovery_codes');
  if (error) throw error;
  // The database function returns text[].
  return data as string[];
}

/** Throws the data service's error. */
export async function countRecoveryCodes(client: SupabaseClient): Promise<number> {
  const { data, error } = await client.rpc('count_recovery_codes');
  if (error) throw error;
  // The database function returns an integer.
  return data as number;
}
