import type { StorageClient } from '@supabase/storage-js';
import { loadPart } from '#app/ui/load-part.ts';
import { sessionFetch } from './browser-client.ts';

/** Returns the storage client of the signed-in account. Its library is fetched when first needed. */
export async function openFiles(send?: typeof fetch): Promise<StorageClient> {
  const { StorageClient } = await loadPart(() => import('@supabase/storage-js'));
  return new StorageClient(`${location.origin}/storage/v1`, {}, sessionFetch(send));
}

/** The life of a signed URL of a picture, in seconds. */
const LIFE_SECONDS = 3_600;

interface SignedPicture {
  readonly name: string;
  /** In pixels, of the longer side; undefined for the whole picture. */
  readonly width?: number;
}

/** Returns a signed URL of a private picture, valid for an hour. Throws the storage service's error. */
export async function signPicture(
  files: StorageClient,
  bucket: string,
  { name, width }: SignedPicture,
): Promise<string> {
  const options = width === undefined ? {} : { transform: { width } };
  const { data, error } = await files.from(bucket).createSignedUrl(name, LIFE_SECONDS, options);
  if (error) throw error;
  return data.signedUrl;
}
