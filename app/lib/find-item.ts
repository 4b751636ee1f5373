import type { FoundItem } from '#domain/found-item.ts';
import type { AppClient } from './app-client.ts';

/** What a finder may know of the item with this code, or null where there is none. Throws the data service's error. */
export async function findItem(client: AppClient, qrId: string): Promise<FoundItem | null> {
  const { data, error } = await client.rpc('find_item', { qr_id_param: qrId });
  if (error) throw error;
  // The database function builds exactly this object; tests/policies holds it to that.
  return data as FoundItem | null;
}
