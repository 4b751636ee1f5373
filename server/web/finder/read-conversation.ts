import type { Conversation } from '#domain/conversation.ts';
import type { Database } from '#server/postgres/database.ts';

/** What was said about the item with this code under the finder's key, as a visitor may read it; null where nothing was. */
export async function readConversation(
  database: Pick<Database, 'readAsVisitor'>,
  code: string,
  finderKey: string,
): Promise<Conversation | null> {
  const { rows } = await database.readAsVisitor<{ conversation: Conversation | null }>({
    name: 'read_conversation_for_page',
    text: 'select public.read_conversation($1, $2) as conversation',
    values: [code, finderKey],
  });
  return rows[0]?.conversation ?? null;
}
