import type { StorageClient } from '@supabase/storage-js';
import type { AppClient } from '#app/client/app-client.ts';
import { browserClient, sessionFetch } from '#app/client/browser-client.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { randomKey } from '#app/data/random-id.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';

/** Returns the storage client of the signed-in account. Its library is fetched when first needed. */
export async function openFiles(send?: typeof fetch): Promise<StorageClient> {
  const [{ StorageClient }, { withSession }, client] = await Promise.all([
    import('@supabase/storage-js'),
    import('#app/client/app-client.ts'),
    browserClient(),
  ]);
  const { publishableKey } = readPublicConfig();
  const fetch = withSession({ publishableKey, fetch: send ?? sessionFetch(() => client), auth: client.auth });
  return new StorageClient(`${location.origin}/storage/v1`, {}, fetch);
}

export type PictureBucket = 'item-photos' | 'avatars';

interface UploadOptions {
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads a picture under an unguessable name and resolves with the name. Throws the storage service's error. */
export async function uploadPicture(bucket: PictureBucket, picture: Blob, options: UploadOptions): Promise<string> {
  const files = await openFiles(fetchWithProgress(options));
  // The server re-encodes every picture as WebP.
  const name = `${randomKey()}.webp`;
  const { error } = await files.from(bucket).upload(name, picture, { contentType: picture.type });
  if (error) throw error;
  return name;
}

/** The life of a signed URL of one's own picture, in seconds. */
const LIFE_SECONDS = 3_600;
const WIDTH = 320;

/** Returns a signed URL of the picture, valid for an hour. Throws the storage service's error. */
export async function signAvatar(name: string): Promise<string> {
  const files = await openFiles();
  const { data, error } = await files.from('avatars').createSignedUrl(name, LIFE_SECONDS, {
    transform: { width: WIDTH },
  });
  if (error) throw error;
  return data.signedUrl;
}

/** Sets or removes the account's picture; the previous one is deleted. Throws the data service's error, also when aborted. */
export async function setAvatar(
  client: AppClient,
  userId: string,
  avatar: string | null,
  signal?: AbortSignal,
): Promise<void> {
  const update = client.from('profiles').update({ avatar }).eq('id', userId);
  const { error } = await (signal === undefined ? update : update.abortSignal(signal));
  if (error) throw error;
}
