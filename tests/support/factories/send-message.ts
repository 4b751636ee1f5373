import { VISITOR } from '#server/postgres/caller.ts';
import { actAs } from '../act-as.ts';
import type { TestDatabase } from '../test-database.ts';
import type { TestItem } from './create-item.ts';

/** A visitor's message about an item; resolves with its id. */
export async function sendMessage(database: TestDatabase, item: TestItem, body = 'I found it'): Promise<string> {
  const rows = await actAs(database, VISITOR, async (client) => {
    const response = await client.query<{ sent: { message_id: string } }>(
      'select public.send_message($1, $2) as sent',
      [item.qrId, body],
    );
    return response.rows;
  });
  const sent = rows[0]?.sent;
  if (sent === undefined) throw new Error('The message was not sent.');
  return sent.message_id;
}
