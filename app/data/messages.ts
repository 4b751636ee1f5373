import type { DataClient } from '#app/client/data-client.ts';
import { type MessageDetails, type MessageDetailsRow, toMessageDetails } from '#domain/contact/message-details.ts';
import { DESK_COLUMNS, type Desk, type DeskRow, toDesk } from '#domain/desks/desk.ts';

/** A message about an item, as its owner sees it. Times are ISO 8601. */
export interface Message {
  readonly id: string;
  readonly conversationId: string;
  readonly itemId: string;
  readonly sender: 'finder' | 'owner';
  /** Whether a second contact of the owner wrote it for them. */
  readonly byContact: boolean;
  readonly body: string;
  readonly details: MessageDetails;
  /** The language (BCP 47) of the page on which it was written; null where that is not known. */
  readonly language: string | null;
  /** Whether it has a photo. It may follow the message. */
  readonly photo: boolean;
  readonly createdAt: string;
  readonly readAt: string | null;
}

export interface MessageRow extends MessageDetailsRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly item_id: string;
  readonly sender: 'finder' | 'owner';
  readonly by_contact: boolean;
  readonly body: string;
  readonly language: string | null;
  readonly photo: boolean;
  readonly created_at: string;
  readonly read_at: string | null;
}

const COLUMNS =
  'id, conversation_id, item_id, sender, by_contact, body, kind, place, latitude, longitude, location_exact, moment, time_zone, desk, desk_id, amount, currency, language, photo, created_at, read_at';

/** How many messages an item's page shows, newest first. */
const SHOWN = 1_000;

/** Returns the messages about an item, newest first. Throws the data service's error. */
export async function loadMessages(client: DataClient, itemId: string): Promise<Message[]> {
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

/**
 * Marks the finder's messages in the conversation as read that were written until then (ISO 8601): a later one may not have
 * been shown yet. Throws the data service's error.
 */
export async function markRead(client: DataClient, conversationId: string, until: string): Promise<void> {
  const { error } = await client
    .from('messages')
    .update({ read_at: new Date().toISOString() })
    .eq('conversation_id', conversationId)
    .eq('sender', 'finder')
    .lte('created_at', until)
    .is('read_at', null);
  if (error) throw error;
}

/** Deletes a conversation with all its messages, for the finder as well. Throws the data service's error. */
export async function deleteConversation(client: DataClient, conversationId: string): Promise<void> {
  const { error } = await client.from('conversations').delete().eq('id', conversationId);
  if (error) throw error;
}

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    itemId: row.item_id,
    sender: row.sender,
    byContact: row.by_contact,
    body: row.body,
    details: toMessageDetails(row),
    language: row.language,
    photo: row.photo,
    createdAt: row.created_at,
    readAt: row.read_at,
  };
}

/** Returns the desk that a message names; null where it is no longer there. Throws the data service's error. */
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
