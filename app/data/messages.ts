import type { AppClient } from './app-client.ts';
import { isOutOfReach } from './out-of-reach.ts';

/** A message about an item, as its owner sees it. Times are ISO 8601. */
export interface Message {
  readonly id: string;
  readonly conversationId: string;
  readonly itemId: string;
  readonly sender: 'finder' | 'owner';
  readonly body: string;
  readonly createdAt: string;
  readonly readAt: string | null;
}

export interface MessageRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly item_id: string;
  readonly sender: 'finder' | 'owner';
  readonly body: string;
  readonly created_at: string;
  readonly read_at: string | null;
}

const COLUMNS = 'id, conversation_id, item_id, sender, body, created_at, read_at';

/** Newest messages that an item's page shows. */
const SHOWN = 1_000;

/** The messages about one item, newest first. Throws the data service's error. */
export async function loadMessages(client: AppClient, itemId: string): Promise<Message[]> {
  const { data, error } = await client
    .from('messages')
    .select(COLUMNS)
    .eq('item_id', itemId)
    .order('created_at', { ascending: false })
    .limit(SHOWN)
    .overrideTypes<MessageRow[], { merge: false }>();
  if (error) throw error;
  return data.map(toMessage);
}

/** How many messages from finders are unread, by item. Throws the data service's error. */
export async function countUnread(client: AppClient, ownerId: string): Promise<ReadonlyMap<string, number>> {
  const { data, error } = await client
    .from('messages')
    .select('item_id')
    .eq('owner_id', ownerId)
    .eq('sender', 'finder')
    .is('read_at', null)
    .overrideTypes<{ item_id: string }[], { merge: false }>();
  if (error) throw error;
  const counts = new Map<string, number>();
  for (const { item_id } of data) counts.set(item_id, (counts.get(item_id) ?? 0) + 1);
  return counts;
}

/** Marks what the finder wrote in the conversation as read. Throws the data service's error. */
export async function markRead(client: AppClient, conversationId: string): Promise<void> {
  const { error } = await client
    .from('messages')
    .update({ read_at: new Date().toISOString() })
    .eq('conversation_id', conversationId)
    .eq('sender', 'finder')
    .is('read_at', null);
  if (error) throw error;
}

/** An answer as it is sent: with the id that makes sending it again harmless. */
export interface Reply {
  readonly id: string;
  readonly conversationId: string;
  readonly body: string;
}

/** What came of sending. `outOfReach`: nobody has answered, or only later, so it is to be sent again. */
export type ReplyOutcome = 'sent' | 'refused' | 'outOfReach';

/** Gives the owner's answer to the finder of the conversation. */
export async function sendReply(client: AppClient, { id, conversationId, body }: Reply): Promise<ReplyOutcome> {
  const { error, status } = await client.rpc('send_reply', {
    conversation_id_param: conversationId,
    body_param: body,
    message_id_param: id,
  });
  if (!error) return 'sent';
  // 429: too many for now; they are let in again.
  return isOutOfReach(status) || status === 429 ? 'outOfReach' : 'refused';
}

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    itemId: row.item_id,
    sender: row.sender,
    body: row.body,
    createdAt: row.created_at,
    readAt: row.read_at,
  };
}
