import type { StorageClient } from '@supabase/storage-js';
import { browserClient, sessionFetch } from '#app/lib/browser-client.ts';
import { readPublicConfig } from '#app/lib/public-config.ts';

/** The official client for files, as the account that is signed in. Its library is fetched when a picture needs it. */
export async function openFiles(send?: typeof fetch): Promise<StorageClient> {
  const [{ StorageClient }, { withSession }, client] = await Promise.all([
    import('@supabase/storage-js'),
    import('#app/lib/compose-client.ts'),
    browserClient(),
  ]);
  const { publishableKey } = readPublicConfig();
  const fetch = withSession({ publishableKey, fetch: send ?? sessionFetch(() => client), auth: client.auth });
  return new StorageClient(`${location.origin}/storage/v1`, {}, fetch);
}
