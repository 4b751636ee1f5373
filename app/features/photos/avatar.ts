import type { AppClient } from '#app/lib/app-client.ts';
import { openFiles } from './open-files.ts';

/** How long an address of one's own picture is good for, in seconds. */
const LIFE_SECONDS = 3_600;
const WIDTH = 320;

/** An address under which this browser may show the named picture for an hour. Throws the storage service's error. */
export async function signAvatar(name: string): Promise<string> {
  const files = await openFiles();
  const { data, error } = await files.from('avatars').createSignedUrl(name, LIFE_SECONDS, {
    transform: { width: WIDTH },
  });
  if (error) throw error;
  return data.signedUrl;
}

/** Makes the picture the account's, or takes it away; the one before is gone. Throws the data service's error. */
export async function setAvatar(client: AppClient, userId: string, avatar: string | null): Promise<void> {
  const { error } = await client.from('profiles').update({ avatar }).eq('id', userId);
  if (error) throw error;
}
