import type { DataClient } from '#app/client/data-client.ts';
import { harmlessName } from '#domain/item/first-name.ts';
import { type ItemType, isItemType } from '#domain/item/item-catalogue.ts';

/** An item that is offered to the signed-in account. Times are ISO 8601. */
export interface ReceivedOffer {
  readonly id: string;
  readonly itemType: ItemType;
  readonly itemName: string;
  /** The file name of its photo, for `photoAddress`. */
  readonly photo: string | null;
  /** The first name of the giver; null where it is not shown. */
  readonly giver: string | null;
  readonly expiresAt: string;
}

/** What changes hands with the signed-in account. */
export interface Transfers {
  /** The newest first. */
  readonly offers: readonly ReceivedOffer[];
  /** Whether it gave an item away whose record it keeps (`loadGivenItems`). */
  readonly hasGiven: boolean;
}

interface TransferRows {
  readonly offers: readonly {
    readonly id: string;
    readonly item_type: string;
    readonly item_name: string;
    readonly photo: string | null;
    readonly giver: string | null;
    readonly expires_at: string;
  }[];
  readonly given: readonly unknown[];
}

/** Returns the open offers to the account, and whether it has records of given items. Throws the data service's error. */
export async function loadTransfers(client: DataClient): Promise<Transfers> {
  const { data, error } = await client.rpc('list_transfers', undefined, { get: true });
  if (error) throw error;
  // The function returns an object of this form.
  const { offers, given }: TransferRows = data;
  return {
    offers: offers.map((row) => ({
      id: row.id,
      ...lookOf(row),
      photo: row.photo,
      // The giver may be a stranger.
      giver: harmlessName(row.giver),
      expiresAt: row.expires_at,
    })),
    hasGiven: given.length > 0,
  };
}

/** Returns the type and the name of an item in a row. */
export function lookOf({ item_type, item_name }: { readonly item_type: string; readonly item_name: string }) {
  return { itemType: isItemType(item_type) ? item_type : ('other' as const), itemName: item_name };
}
