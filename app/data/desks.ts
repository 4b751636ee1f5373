import type { DataClient } from '#app/client/data-client.ts';
import { DESK_COLUMNS, type Desk, type DeskRow, toDesk } from '#domain/desks/desk.ts';

/** Returns a desk; null where it is no longer there. Throws the data service's error. */
export async function loadDesk(client: DataClient, id: string): Promise<Desk | null> {
  const { data, error } = await client
    .from('desks')
    .select(DESK_COLUMNS)
    .eq('id', id)
    .maybeSingle()
    .overrideTypes<DeskRow, { merge: false }>();
  if (error) throw error;
  return data === null ? null : toDesk(data);
}
