import type { DataClient } from '#app/client/data-client.ts';
import { showReturnCode } from '#domain/contact/return-code.ts';

/**
 * Returns the return codes of an item's latest conversations, by conversation, as they are shown. Throws the data
 * service's error, such as that of a proof that is too old.
 */
export async function loadReturnCodes(client: DataClient, itemId: string): Promise<ReadonlyMap<string, string>> {
  const { data, error } = await client.rpc('list_return_codes', { item_id_param: itemId });
  if (error) throw error;
  // The service builds exactly these objects (server/guards/guarded-functions.ts).
  const rows = data as readonly { conversation_id: string; return_code: string }[];
  return new Map(rows.map((row) => [row.conversation_id, showReturnCode(row.return_code)]));
}
