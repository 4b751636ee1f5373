import type { SupabaseClient } from '@supabase/supabase-js';

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

/** The messages about one item, newest first. Throws the data service's error. */
export async function loadMessages(client: SupabaseClient, itemId: string): Promise<Message[]> {
  const { data, error } = await client
    .from('messages')
    .select(COLUMNS)
    .eq('item_id', itemId)
    .order('created_at', { ascending: false })
    .overrideTypes<MessageRow[], { merge: false }>();
  if (error) throw error;
  return data.map(toMessage);
}

/** How many messages from finders are unread, by item. Throws the data service's error. */
export async function countUnread(client: SupabaseClient, ownerId: string): Promise<ReadonlyMap<string, number>> {
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

/** Marks every message from finders about the item as read. Throws the data service's error. */
export async function markRead(client: SupabaseClient, itemId: string): Promise<void> {
  const { error } = await client
    .from('messages')
    .update({ read_at: new Date().toISOString() })
    .eq('item_id', itemId)
    .eq('sender', 'finder')
    .is('read_at', null);
  if (error) throw error;
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
