import type { PostgrestError } from '@supabase/supabase-js';
import type { AppClient } from './app-client.ts';

/**
 * Who holds the code: the caller's own id for the caller's own, a reference that leads nowhere for somebody else's,
 * null where nobody does. Throws the data service's error.
 */
export async function findCodeOwner(client: AppClient, qrId: string): Promise<string | null> {
  const { data, error } = await client.rpc('get_qr_code_owner', { qr_id_param: qrId });
  if (error) throw error;
  // The database function returns a uuid or null.
  return data as string | null;
}

/** Makes the code the caller's own, without an item. Answers with what refused it, or null. */
export async function registerCode(client: AppClient, qrId: string, userId: string): Promise<PostgrestError | null> {
  const { error } = await client.rpc('register_qr_code', { qr_id_param: qrId, user_id_param: userId });
  return error;
}
