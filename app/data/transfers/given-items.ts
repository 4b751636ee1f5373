import * as v from 'valibot';
import type { AppClient } from '#app/client/app-client.ts';
import type { ItemType } from '#domain/item/item-catalogue.ts';
import { lookOf } from './transfers.ts';

/** What a former owner keeps of an item that they gave away. Times are ISO 8601. */
export interface GivenItem {
  readonly id: string;
  readonly itemType: ItemType;
  readonly itemName: string;
  readonly givenAt: string;
  /** The address that accepted it; null where its account, or the offer, is gone. */
  readonly email: string | null;
  readonly hasMessages: boolean;
}

/** Where a page of records ends: the next one has those before it. */
export interface GivenBefore {
  /** ISO 8601. */
  readonly givenAt: string;
  readonly id: string;
}

/** Some records, the newest first. */
export interface GivenItemsPage {
  readonly given: readonly GivenItem[];
  /** Where the next page begins; null on the last one. */
  readonly next: GivenBefore | null;
}

const uuid = v.pipe(v.string(), v.uuid());
const row = v.object({
  id: v.string(),
  item_type: v.string(),
  item_name: v.string(),
  given_at: v.string(),
  email: v.nullable(v.string()),
  has_messages: v.boolean(),
});
const page = v.object({ given: v.array(row), has_more: v.boolean() });

/** Returns the newest records before this one, or the newest of all. Throws the data service's error. */
export async function loadGivenItems(client: AppClient, before: GivenBefore | null): Promise<GivenItemsPage> {
  const cursor = before === null ? {} : { before_given_at_param: before.givenAt, before_id_param: before.id };
  const { data, error } = await client.rpc('list_given_items', cursor, { get: true });
  if (error) throw error;
  const { given: rows, has_more } = v.parse(page, data);
  const given = rows.map(toGivenItem);
  return { given, next: has_more ? (given.at(-1) ?? null) : null };
}

/** Returns the record with this id, or null without one. Throws the data service's error. */
export async function loadGivenItem(client: AppClient, itemId: string): Promise<GivenItem | null> {
  if (!v.is(uuid, itemId)) return null;
  const { data, error } = await client.rpc('find_given_item', { item_id_param: itemId }, { get: true });
  if (error) throw error;
  const record = v.parse(v.nullable(row), data);
  return record && toGivenItem(record);
}

/** Deletes the record of an item that was given away, with its conversations. Throws the data service's error. */
export async function deleteGivenItem(client: AppClient, itemId: string): Promise<void> {
  const { error } = await client.rpc('delete_given_item', { item_id_param: itemId });
  if (error) throw error;
}

function toGivenItem(record: v.InferOutput<typeof row>): GivenItem {
  return {
    id: record.id,
    ...lookOf(record),
    givenAt: record.given_at,
    email: record.email,
    hasMessages: record.has_messages,
  };
}
