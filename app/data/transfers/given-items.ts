import type { AppClient } from '#app/client/app-client.ts';

/** Deletes the record of an item that was given away, with its conversations. Throws the data service's error. */
export async function deleteGivenItem(client: AppClient, itemId: string): Promise<void> {
  const { error } = await client.rpc('delete_given_item', { item_id_param: itemId });
  if (error) throw error;
}
