import type { DataClient } from '#app/client/data-client.ts';
import { type MessageDetails, type MessageDetailsRow, toMessageDetails } from '#domain/contact/message-details.ts';
import type { ItemType } from '#domain/item/item-catalogue.ts';
import { lookOf } from '../transfers/transfers.ts';

/** A conversation in the list of all. Times are ISO 8601. */
export interface InboxRow {
  readonly id: string;
  readonly itemId: string;
  /** Null where the item was given away. */
  readonly qrId: string | null;
  readonly itemType: ItemType;
  readonly itemName: string;
  readonly photo: string | null;
  /** When its newest message was written. */
  readonly newestAt: string;
  readonly isUnread: boolean;
  /** Whether the finder wrote last, and may be replied to. */
  readonly isWaiting: boolean;
  readonly isReturned: boolean;
  readonly isMuted: boolean;
  readonly isBlocked: boolean;
  readonly newest: NewestMessage;
}

interface NewestMessage {
  readonly sender: 'finder' | 'owner';
  readonly byContact: boolean;
  readonly body: string;
  readonly details: MessageDetails;
  readonly language: string | null;
}

/** Where a page of conversations ends: the next one has those before it. */
export type InboxEnd = Pick<InboxRow, 'id' | 'newestAt'>;

/** Conversations, the one with the newest message first. */
export interface Inbox {
  readonly rows: readonly InboxRow[];
  /** Where the next page begins; null where there is none. */
  readonly next: InboxEnd | null;
}

interface ListedConversation {
  readonly id: string;
  readonly item_id: string;
  readonly qr_id: string | null;
  readonly item_type: string;
  readonly item_name: string;
  readonly photo: string | null;
  readonly newest_at: string;
  readonly is_unread: boolean;
  readonly is_waiting: boolean;
  readonly returned_at: string | null;
  readonly muted_at: string | null;
  readonly blocked_at: string | null;
  readonly newest: MessageDetailsRow & {
    readonly sender: 'finder' | 'owner';
    readonly by_contact: boolean;
    readonly body: string;
    readonly language: string | null;
  };
}

interface ListedPage {
  readonly conversations: readonly ListedConversation[];
  readonly has_more: boolean;
}

/** Returns the newest conversations before this end, or the newest of all. Throws the data service's error. */
export async function loadInboxPage(client: DataClient, before: InboxEnd | null): Promise<Inbox> {
  const cursor = before === null ? {} : { before_newest_at_param: before.newestAt, before_id_param: before.id };
  const { data, error } = await client.rpc('list_conversations', cursor, { get: true });
  if (error) throw error;
  // The function returns an object of this form.
  const { conversations, has_more }: ListedPage = data;
  const rows = conversations.map(toRow);
  return { rows, next: has_more ? (rows.at(-1) ?? null) : null };
}

/**
 * Returns what is known with the newest page in place of what it covers. A page that may leave a gap to what is known
 * begins the list again.
 */
export function withNewest(known: Inbox | null, page: Inbox): Inbox {
  const [newestKnown] = known?.rows ?? [];
  const end = page.next;
  if (known === null || newestKnown === undefined || end === null || isBefore(newestKnown, end)) return page;
  const isShown = new Set(page.rows.map(({ id }) => id));
  const older = known.rows.filter((row) => isBefore(row, end) && !isShown.has(row.id));
  return { rows: [...page.rows, ...older], next: known.next };
}

/** Returns what is known with the page that follows it. What was written to meanwhile stays where it is now. */
export function withEarlier(known: Inbox, page: Inbox): Inbox {
  const isShown = new Set(known.rows.map(({ id }) => id));
  return { rows: [...known.rows, ...page.rows.filter(({ id }) => !isShown.has(id))], next: page.next };
}

/** Whether it comes later in the list. The service counts microseconds, which a date does not have. */
function isBefore(one: InboxEnd, other: InboxEnd): boolean {
  const apart = Date.parse(one.newestAt) - Date.parse(other.newestAt);
  if (apart !== 0) return apart < 0;
  return one.newestAt === other.newestAt ? one.id < other.id : one.newestAt < other.newestAt;
}

function toRow(row: ListedConversation): InboxRow {
  const { sender, by_contact, body, language } = row.newest;
  return {
    id: row.id,
    itemId: row.item_id,
    qrId: row.qr_id,
    ...lookOf(row),
    photo: row.photo,
    newestAt: row.newest_at,
    isUnread: row.is_unread,
    isWaiting: row.is_waiting && row.qr_id !== null && row.returned_at === null && row.blocked_at === null,
    isReturned: row.returned_at !== null,
    isMuted: row.muted_at !== null,
    isBlocked: row.blocked_at !== null,
    newest: { sender, byContact: by_contact, body, language, details: toMessageDetails(row.newest) },
  };
}
