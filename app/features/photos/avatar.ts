import type { SupabaseClient } from '@supabase/supabase-js';

/** How long an address of one's own picture is good for, in seconds. */
const LIFE_SECONDS = 3_600;
const WIDTH = 320;

/** An address under which this browser may show the account's picture for an hour; null where it has none. */
export async function loadAvatar(client: SupabaseClient, userId: string): Promise<string | null> {
  const { data, error } = await client
    .from('profiles')
    .select('avatar')
    .eq('id', userId)
    .maybeSingle()
    .overrideTypes<{ readonly avatar: string | null }, { merge: false }>();
  if (error) throw error;
  if (data === null || data.avatar === null) return null;
  const signed = await client.storage.from('avatars').createSignedUrl(data.avatar, LIFE_SECONDS, {
    transform: { width: WIDTH },
  });
  if (signed.error) throw signed.error;
  return signed.data.signedUrl;
}

/** Makes the picture the account's, or takes it away; the one before is gone. Throws the data service's error. */
export async function setAvatar(client: SupabaseClient, userId: string, avatar: string | null): Promise<void> {
  const { error } = await client.from('profiles').update({ avatar }).eq('id', userId);
  if (error) throw error;
}
