import { actAs } from '#tests/support/act-as.ts';
import type { TestItem } from '#tests/support/factories/create-item.ts';
import type { TestOwner } from '#tests/support/factories/create-owner.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

/** Sends the owner's reply in the latest conversation about the item. */
export async function sendReply(database: TestDatabase, owner: TestOwner, item: TestItem, body: string): Promise<void> {
  await actAs(database, owner.caller, (client) =>
    client.query(
      `select public.send_reply(id, $2) from public.conversations where item_id = $1 order by created_at desc limit 1`,
      [item.id, body],
    ),
  );
}
