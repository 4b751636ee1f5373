import type { ItemDescription } from '#domain/describe-tagging.ts';
import type { Channel } from '#domain/found-item.ts';
import { type ItemType, isItemType } from '#domain/item-catalogue.ts';
import type { AppClient } from './app-client.ts';
import { isOutOfReach } from './out-of-reach.ts';

/** An item as its owner sees it. Times are ISO 8601. */
export interface Item {
  readonly id: string;
  readonly qrId: string;
  readonly userId: string;
  readonly itemType: ItemType;
  readonly itemName: string;
  readonly description: string | null;
  readonly noteToFinders: string | null;
  readonly lostAt: string | null;
  /** The name of its photo, for `photoAddress`. */
  readonly photo: string | null;
  /** Whether each way is open for this item; null follows the account. */
  readonly channels: Readonly<Record<Channel, boolean | null>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface ItemRow {
  readonly id: string;
  readonly qr_id: string;
  readonly user_id: string;
  readonly item_type: string;
  readonly item_name: string;
  readonly description: string | null;
  readonly note_to_finders: string | null;
  readonly lost_at: string | null;
  readonly photo: string | null;
  readonly whatsapp_enabled: boolean | null;
  readonly call_enabled: boolean | null;
  readonly email_enabled: boolean | null;
  readonly message_enabled: boolean | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const COLUMNS =
  'id, qr_id, user_id, item_type, item_name, description, note_to_finders, lost_at, photo, whatsapp_enabled, call_enabled, email_enabled, message_enabled, created_at, updated_at';

/** What refused a tagging that the form could not foresee. */
export type TaggingRefusal = 'alreadyTagged' | 'notIssued';

/** The owner's items, newest first. Throws the data service's error. */
export async function loadOwnItems(client: AppClient, userId: string): Promise<Item[]> {
  const { data, error } = await client
    .from('items')
    .select(COLUMNS)
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .overrideTypes<ItemRow[], { merge: false }>();
  if (error) throw error;
  return data.map(toItem);
}

/** The item with this code if it is the caller's own, else null: row-level security shows nobody else's. */
export async function findOwnItem(client: AppClient, qrId: string): Promise<Item | null> {
  const { data, error } = await client
    .from('items')
    .select(COLUMNS)
    .eq('qr_id', qrId)
    .maybeSingle()
    .overrideTypes<ItemRow, { merge: false }>();
  if (error) throw error;
  return data === null ? null : toItem(data);
}

/**
 * Tags: claims the code and makes the item, in one transaction. `outOfReach`: nobody has answered. Throws every other
 * error of the data service.
 */
export async function addItem(
  client: AppClient,
  userId: string,
  qrId: string,
  description: ItemDescription,
): Promise<Item | TaggingRefusal | 'outOfReach'> {
  const { data, error, status } = await client
    .from('items')
    .insert({ qr_id: qrId, user_id: userId, ...description })
    .select(COLUMNS)
    .single()
    .overrideTypes<ItemRow, { merge: false }>();
  // SQLSTATE unique_violation and invalid_parameter_value, as the claim raises them.
  if (error?.code === '23505') {
    // An earlier attempt may have arrived, and its answer been lost on the way.
    const own = await findOwnItem(client, qrId);
    return own !== null && isDescribedAs(own, description) ? own : 'alreadyTagged';
  }
  if (error?.code === '22023') return 'notIssued';
  if (error && isOutOfReach(status)) return 'outOfReach';
  if (error) throw error;
  return toItem(data);
}

function isDescribedAs(item: Item, { item_type, item_name, description }: ItemDescription): boolean {
  return item.itemType === item_type && item.itemName === item_name && item.description === description;
}

/** What an owner has changed of an item; what is not in it stays. */
export interface ItemChange {
  readonly itemType?: ItemType;
  readonly itemName?: string;
  readonly description?: string | null;
  readonly noteToFinders?: string | null;
  readonly lostAt?: string | null;
  /** The name of one that is uploaded, or none; the one before is gone then. */
  readonly photo?: string | null;
  readonly channels?: Partial<Record<Channel, boolean>>;
}

/** What came of saving. `outOfReach`: nobody has answered; saving it again does no harm. */
export type ItemSaveOutcome = 'saved' | 'refused' | 'outOfReach';

/** Saves a change of the owner's own item. An item that is not there any more refuses it. */
export async function saveItem(client: AppClient, itemId: string, change: ItemChange): Promise<ItemSaveOutcome> {
  const { itemType, itemName, description, noteToFinders, lostAt, photo, channels = {} } = change;
  const { data, error, status } = await client
    .from('items')
    .update({
      ...(itemType !== undefined && { item_type: itemType }),
      ...(itemName !== undefined && { item_name: itemName }),
      ...(description !== undefined && { description }),
      ...(noteToFinders !== undefined && { note_to_finders: noteToFinders }),
      ...(lostAt !== undefined && { lost_at: lostAt }),
      ...(photo !== undefined && { photo }),
      ...Object.fromEntries(Object.entries(channels).map(([channel, open]) => [`${channel}_enabled`, open])),
    })
    .eq('id', itemId)
    .select('id');
  if (error) return isOutOfReach(status) ? 'outOfReach' : 'refused';
  return data.length === 1 ? 'saved' : 'refused';
}

/** Deletes the item, and with it its messages; its code is free again. Throws the data service's error. */
export async function deleteItem(client: AppClient, itemId: string): Promise<void> {
  const { error } = await client.from('items').delete().eq('id', itemId);
  if (error) throw error;
}

function toItem(row: ItemRow): Item {
  return {
    id: row.id,
    qrId: row.qr_id,
    userId: row.user_id,
    // A type that this page does not know yet, because the server is newer, is shown as a plain item.
    itemType: isItemType(row.item_type) ? row.item_type : 'other',
    itemName: row.item_name,
    description: row.description,
    noteToFinders: row.note_to_finders,
    lostAt: row.lost_at,
    photo: row.photo,
    channels: {
      whatsapp: row.whatsapp_enabled,
      call: row.call_enabled,
      email: row.email_enabled,
      message: row.message_enabled,
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
