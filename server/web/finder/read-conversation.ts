import type { Conversation } from '#domain/contact/conversation.ts';
import type { Database } from '#server/postgres/database.ts';

/**
 * Returns the conversation about the item with this code under the finder's key, read as a visitor, or null where there
 * is none.
 */
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
