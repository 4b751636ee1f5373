import type { AppClient } from '#app/client/app-client.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';
import { type MessageDetails, type MessageDetailsRow, toMessageDetails } from '#domain/contact/message-details.ts';

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
  readonly photo: boolean;
  readonly created_at: string;
  readonly read_at: string | null;
}

const COLUMNS =
  'id, conversation_id, item_id, sender, by_contact, body, kind, place, latitude, longitude, location_exact, photo, created_at, read_at';

/** How many messages an item's page shows, newest first. */
const SHOWN = 1_000;

/** Returns the messages about an item, newest first. Throws the data service's error. */
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

/**
 * Returns the number of unread messages from finders to the signed-in owner, by item, the
 * item with the newest of them first. Throws the data service's error.
 */
export async function countUnread(client: AppClient): Promise<ReadonlyMap<string, number>> {
  const { data, error } = await client.rpc('count_unread', undefined, { get: true });
  if (error) throw error;
  // The function returns an object of counts.
  const counts: Readonly<Record<string, number>> = data;
  return new Map(Object.entries(counts));
}

/**
 * Marks the finder's messages in the conversation as read that were written until then (ISO 8601): a later one may not have
 * been shown yet. Throws the data service's error.
 */
export async function markRead(client: AppClient, conversationId: string, until: string): Promise<void> {
  const { error } = await client
    .from('messages')
    .update({ read_at: new Date().toISOString() })
    .eq('conversation_id', conversationId)
    .eq('sender', 'finder')
    .lte('created_at', until)
    .is('read_at', null);
  if (error) throw error;
}

/** Confirms that a screen shows the unread messages: their finders read that they are delivered. Throws the service's error. */
export async function confirmDelivery(client: AppClient): Promise<void> {
  const { error } = await client.rpc('confirm_delivery');
  if (error) throw error;
}

/** Deletes a conversation with all its messages, for the finder as well. Throws the data service's error. */
export async function deleteConversation(client: AppClient, conversationId: string): Promise<void> {
  const { error } = await client.from('conversations').delete().eq('id', conversationId);
  if (error) throw error;
}

/** A reply to send. Its id makes retries safe. */
export interface Reply {
  readonly id: string;
  readonly conversationId: string;
  readonly body: string;
}

/**
 * The result of sending. `unreachable` means that it must be retried: no response arrived, or the limit allows it only
 * later.
 */
export type ReplyOutcome = 'sent' | 'refused' | 'unreachable';

/** Sends the owner's reply to the finder of the conversation. */
export async function sendReply(client: AppClient, { id, conversationId, body }: Reply): Promise<ReplyOutcome> {
  const { error, status } = await client.rpc('send_reply', {
    conversation_id_param: conversationId,
    body_param: body,
    message_id_param: id,
  });
  if (!error) return 'sent';
  // 429: too many at the moment; a later attempt is accepted.
  return isUnreachable(status) || status === 429 ? 'unreachable' : 'refused';
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
    photo: row.photo,
    createdAt: row.created_at,
    readAt: row.read_at,
  };
}
