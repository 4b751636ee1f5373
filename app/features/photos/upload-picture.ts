import { fetchWithProgress } from './fetch-with-progress.ts';
import { openFiles } from './open-files.ts';

export type PictureBucket = 'item-photos' | 'avatars';

interface UploadOptions {
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Puts up a picture under a name that nobody can guess, and resolves with that name. By the official client, which is told
 * to send it in a way that shows how it gets on. Throws the storage service's error.
 */
export async function uploadPicture(bucket: PictureBucket, picture: Blob, options: UploadOptions): Promise<string> {
  const files = await openFiles(fetchWithProgress(options));
  const name = `${pictureName()}.webp`;
  const { error } = await files.from(bucket).upload(name, picture, { contentType: picture.type });
  if (error) throw error;
  return name;
}

/** 192 random bits, URL-safe. */
function pictureName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
