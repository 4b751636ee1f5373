import type { DataClient } from '#app/client/data-client.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';
import type { ContactMethod } from '#domain/contact/contact-methods.ts';
import type { ItemDescription } from '#domain/item/describe-tagging.ts';
import { type ItemType, isItemType, isUnnamed } from '#domain/item/item-catalogue.ts';
import { loadAllRows } from './load-all-rows.ts';

/** An item as its owner sees it. Times are ISO 8601. */
export interface Item {
  readonly id: string;
  readonly qrId: string;
  readonly userId: string;
  readonly itemType: ItemType;
  readonly itemName: string;
  readonly description: string | null;
  readonly noteToFinders: string | null;
  /** What the owner promises to the finder. */
  readonly reward: string | null;
  readonly lostAt: string | null;
  /** Why an operator has voided its code; null while the code works. */
  readonly voidReason: string | null;
  /** Whether none of its stickers was ever scanned: it may have none. */
  readonly needsSticker: boolean;
  /** The file name of its photo, for `photoAddress`. */
  readonly photo: string | null;
  /** Whether each contact method is open for this item; null follows the account. */
  readonly channels: Readonly<Record<ContactMethod, boolean | null>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A list of more items has a search field. */
export const SHORT_LIST = 8;

interface CodeRow {
  readonly void_reason: string | null;
  readonly was_scanned: boolean;
  /** The item's further codes. */
  readonly further: readonly Pick<CodeRow, 'void_reason' | 'was_scanned'>[];
}

type ItemRow = Omit<Item, 'itemType' | 'voidReason' | 'needsSticker' | 'channels'> &
  Item['channels'] & {
    readonly type: string;
    /** Null in the response to its insert. */
    readonly code: CodeRow | null;
  };

const COLUMNS =
  'id, qrId:qr_id, userId:user_id, type:item_type, itemName:item_name, description, noteToFinders:note_to_finders, reward, lostAt:lost_at, photo, whatsapp:whatsapp_enabled, call:call_enabled, email:email_enabled, message:message_enabled, createdAt:created_at, updatedAt:updated_at, code:qr_codes(void_reason, was_scanned, further:qr_codes(void_reason, was_scanned))';

/** Refusals of tagging that the form could not foresee. */
export type TaggingRefusal = 'alreadyTagged' | 'notIssued';

/** Returns the owner's items, newest first, and those of one spreadsheet by name. Throws the data service's error. */
export async function loadOwnItems(client: DataClient, userId: string): Promise<Item[]> {
  const rows = await loadAllRows((first, last) =>
    client
      .from('items')
      .select(COLUMNS, { count: 'exact' })
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .order('item_name')
      .order('id')
      .range(first, last)
      .overrideTypes<ItemRow[], { merge: false }>(),
  );
  return rows.map(toItem);
}

/** Returns the item with this code if it is the caller's own, else null. Row-level security hides others. */
export async function findOwnItem(client: DataClient, qrId: string): Promise<Item | null> {
  const { data, error } = await client
    .from('items')
    .select(COLUMNS)
    .eq('qr_id', qrId)
    .maybeSingle()
    .overrideTypes<ItemRow, { merge: false }>();
  if (error) throw error;
  return data === null ? null : toItem(data);
}

/** Returns the caller's own item, or null. Throws the data service's error. */
export async function findOwnItemById(client: DataClient, itemId: string): Promise<Item | null> {
  const { data, error } = await client
    .from('items')
    .select(COLUMNS)
    .eq('id', itemId)
    .maybeSingle()
    .overrideTypes<ItemRow, { merge: false }>();
  if (error) throw error;
  return data === null ? null : toItem(data);
}

/**
 * Tags an item: claims the code and creates the item in one transaction. Returns `unreachable` where no response
 * arrived. Throws all other errors of the data service.
 */
export async function addItem(
  client: DataClient,
  userId: string,
  qrId: string,
  description: ItemDescription,
): Promise<Item | TaggingRefusal | 'unreachable'> {
  const { data, error, status } = await client
    .from('items')
    .insert({ qr_id: qrId, user_id: userId, ...description })
    .select(COLUMNS)
    .single()
    .overrideTypes<ItemRow, { merge: false }>();
  // SQLSTATE unique_violation and invalid_parameter_value, as raised by the claim.
  if (error?.code === '23505') {
    // An earlier attempt may have succeeded and its response been lost.
    const own = await findOwnItem(client, qrId);
    if (own === null) return 'alreadyTagged';
    return isDescribedAs(own, description) ? own : describeUnnamed(client, own, description);
  }
  if (error?.code === '22023') return 'notIssued';
  if (error && isUnreachable(status)) return 'unreachable';
  if (error) throw error;
  return toItem(data);
}

/**
 * Sets the description of an item that has only a generated name, such as one created by a finder's first message to a
 * claimed code. Does not change an item that its owner has described.
 */
async function describeUnnamed(
  client: DataClient,
  { id, itemName }: Item,
  description: ItemDescription,
): Promise<Item | TaggingRefusal | 'unreachable'> {
  if (!isUnnamed(itemName)) return 'alreadyTagged';
  const { data, error, status } = await client
    .from('items')
    .update(description)
    .eq('id', id)
    // Another tab may have named the item in the meantime.
    .eq('item_name', itemName)
    .select(COLUMNS)
    .maybeSingle()
    .overrideTypes<ItemRow, { merge: false }>();
  if (error && isUnreachable(status)) return 'unreachable';
  if (error) throw error;
  return data === null ? 'alreadyTagged' : toItem(data);
}

function isDescribedAs(item: Item, { item_type, item_name, description }: ItemDescription): boolean {
  return item.itemType === item_type && item.itemName === item_name && item.description === description;
}

/** An owner's changes of an item; omitted fields stay. */
export interface ItemChange {
  readonly itemType?: ItemType;
  readonly itemName?: string;
  readonly description?: string | null;
  readonly noteToFinders?: string | null;
  readonly reward?: string | null;
  readonly lostAt?: string | null;
  /** The name of an uploaded photo, or null for none. The previous photo is deleted. */
  readonly photo?: string | null;
  readonly channels?: Partial<Record<ContactMethod, boolean>>;
}

/** The result of saving. After `unreachable` it is safe to retry. */
export type ItemSaveOutcome = 'saved' | 'refused' | 'unreachable';

/** Saves changes of the owner's item. Returns `refused` for an item that no longer exists. */
export async function saveItem(client: DataClient, itemId: string, change: ItemChange): Promise<ItemSaveOutcome> {
  const { lostAt, photo, channels = {} } = change;
  const { data, error, status } = await client
    .from('items')
    .update({
      ...columnsOf(change),
      ...(lostAt !== undefined && { lost_at: lostAt }),
      ...(photo !== undefined && { photo }),
      ...Object.fromEntries(Object.entries(channels).map(([channel, open]) => [`${channel}_enabled`, open])),
    })
    .eq('id', itemId)
    .select('id');
  if (error) return isUnreachable(status) ? 'unreachable' : 'refused';
  return data.length === 1 ? 'saved' : 'refused';
}

/** What `saveItems` gives an item: all of a new one, or what changes about another. */
export type SavedFields = Pick<ItemChange, 'itemType' | 'itemName' | 'description' | 'noteToFinders' | 'reward'>;

/** The result of saving many items. */
export type SavedItems = 'saved' | 'noRoom' | 'notIssued' | 'failed';

const REFUSALS_OF_ITEMS: Readonly<Record<string, SavedItems>> = { PT413: 'noRoom', '22023': 'notIssued' };

/**
 * Saves many items at once, all or none: changes those of the caller's with these codes, and tags new ones with the other
 * codes. Repeating it is safe. Returns `noRoom` where the account has no room for so many,
 * and `notIssued` where the service takes only codes that it issued.
 */
export async function saveItems(
  client: DataClient,
  items: readonly { readonly qrId: string; readonly fields: SavedFields }[],
): Promise<SavedItems> {
  const { error } = await client.rpc('save_items', {
    items_param: items.map(({ qrId, fields }) => ({ qr_id: qrId, ...columnsOf(fields) })),
  });
  if (error === null) return 'saved';
  return REFUSALS_OF_ITEMS[error.code] ?? 'failed';
}

function columnsOf({ itemType, itemName, description, noteToFinders, reward }: SavedFields) {
  return {
    ...(itemType !== undefined && { item_type: itemType }),
    ...(itemName !== undefined && { item_name: itemName }),
    ...(description !== undefined && { description }),
    ...(noteToFinders !== undefined && { note_to_finders: noteToFinders }),
    ...(reward !== undefined && { reward }),
  };
}

/** Deletes the item with its messages and frees its code. Throws the data service's error, also when aborted. */
export async function deleteItem(client: DataClient, itemId: string, signal: AbortSignal): Promise<void> {
  const { error } = await client.from('items').delete().eq('id', itemId).abortSignal(signal);
  if (error) throw error;
}

/** What to do about a void code, its reason says. */
function needsSticker(code: CodeRow): boolean {
  const isProtected = code.was_scanned || code.further.some((one) => one.was_scanned && one.void_reason === null);
  return code.void_reason === null && !isProtected;
}

function toItem({ type, code, whatsapp, call, email, message, ...row }: ItemRow): Item {
  return {
    ...row,
    // A type that this page does not know, because the server is newer, is shown as a generic item.
    itemType: isItemType(type) ? type : 'other',
    voidReason: code?.void_reason ?? null,
    needsSticker: code !== null && needsSticker(code),
    channels: { whatsapp, call, email, message },
  };
}
