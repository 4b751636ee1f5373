import type { DataClient } from '#app/client/data-client.ts';
import type { Item } from '#app/data/items.ts';
import { loadAllRows } from '#app/data/load-all-rows.ts';

/** A sticker on an item beside its own. */
export interface FurtherSticker extends StickerState {
  /** The own code of the item. */
  readonly standsFor: string;
}

interface StickerState {
  readonly code: string;
  /** Why an operator has voided it; null while it works. */
  readonly voidReason: string | null;
}

/** An item with what can be printed for it. */
export interface ItemStickers {
  readonly item: Item;
  /** Its own sticker, then the others, as the item's page lists them. */
  readonly stickers: readonly StickerState[];
}

/** Lists of items up to this length are chosen as a whole. */
const SHORT_LIST = 8;

/** Returns the further stickers on the owner's items. Throws the data service's error. */
export async function loadFurtherStickers(client: DataClient, userId: string): Promise<readonly FurtherSticker[]> {
  const rows = await loadAllRows((first, last) =>
    client
      .from('qr_codes')
      .select('qr_id, stands_for, void_reason', { count: 'exact' })
      .eq('owner_id', userId)
      .not('stands_for', 'is', null)
      .order('claimed_at')
      .order('qr_id')
      .range(first, last)
      .overrideTypes<
        { readonly qr_id: string; readonly stands_for: string; readonly void_reason: string | null }[],
        { merge: false }
      >(),
  );
  return rows.map((row) => ({ code: row.qr_id, standsFor: row.stands_for, voidReason: row.void_reason }));
}

/** Returns each item with its stickers. */
export function withStickers(items: readonly Item[], further: readonly FurtherSticker[]): readonly ItemStickers[] {
  const byOwnCode = new Map<string, FurtherSticker[]>();
  for (const sticker of further) {
    const others = byOwnCode.get(sticker.standsFor);
    if (others === undefined) byOwnCode.set(sticker.standsFor, [sticker]);
    else others.push(sticker);
  }
  return items.map((item) => ({
    item,
    stickers: [{ code: item.qrId, voidReason: item.voidReason }, ...(byOwnCode.get(item.qrId) ?? [])],
  }));
}

/**
 * Returns the codes that are chosen at first: the one that the owner came from, unless it is void. Without it, one of each
 * item in a short list, and none in a long one.
 */
export function firstChosen(items: readonly ItemStickers[], from: string | null): ReadonlySet<string> {
  const known = items.flatMap(({ stickers }) => stickers).find(({ code }) => code === from);
  if (known !== undefined) return new Set(isVoid(known) ? [] : [known.code]);
  if (items.length > SHORT_LIST) return new Set();
  return new Set(items.flatMap(({ stickers }) => stickers.find((sticker) => !isVoid(sticker))?.code ?? []));
}

/** Whether finders reach nobody by it, so that it is not printed. */
export function isVoid({ voidReason }: StickerState): boolean {
  return voidReason !== null;
}
