import { fetchWithProgress } from '#app/browser/fetch-with-progress.ts';
import type { AppClient } from '#app/client/app-client.ts';
import { openFiles, signPicture } from '#app/client/open-files.ts';
import { randomKey } from '#app/data/random-key.ts';

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

const WIDTH = 320;

/** Returns a signed URL of the picture, valid for an hour. Throws the storage service's error. */
export async function signAvatar(name: string): Promise<string> {
  return signPicture(await openFiles(), 'avatars', { name, width: WIDTH });
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
