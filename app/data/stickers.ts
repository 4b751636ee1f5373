import type { DataClient } from '#app/client/data-client.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';
import { findOwnItem, type Item } from './items.ts';
import { loadAllRows } from './load-all-rows.ts';

/** A sticker on an item, as its owner sees it. */
export interface ItemSticker {
  readonly code: string;
  /** ISO 8601. */
  readonly since: string;
  /** Whether an operator has voided it. */
  readonly isVoid: boolean;
}

/** How many stickers an item may have. The database enforces it (`attach_qr_code`). */
export const MOST_STICKERS = 20;

/** Returns the stickers on an item, its own code first. Throws the data service's error. */
export async function loadStickers(client: DataClient, { qrId }: Item): Promise<readonly ItemSticker[]> {
  const { data, error } = await client
    .from('qr_codes')
    .select('code:qr_id, since:claimed_at, voidedAt:voided_at')
    .or(`qr_id.eq.${qrId},stands_for.eq.${qrId}`)
    .order('stands_for', { ascending: true, nullsFirst: true })
    .order('claimed_at')
    .order('qr_id')
    .overrideTypes<(Omit<ItemSticker, 'isVoid'> & { readonly voidedAt: string | null })[], { merge: false }>();
  if (error) throw error;
  return data.map(({ code, since, voidedAt }) => ({ code, since, isVoid: voidedAt !== null }));
}

/** Returns the own code of the item for each further code of the owner's. Throws the data service's error. */
export async function loadFurtherCodes(client: DataClient, userId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await loadAllRows((first, last) =>
    client
      .from('qr_codes')
      .select('qr_id, stands_for', { count: 'exact' })
      .eq('owner_id', userId)
      .not('stands_for', 'is', null)
      .order('qr_id')
      .range(first, last)
      .overrideTypes<{ readonly qr_id: string; readonly stands_for: string }[], { merge: false }>(),
  );
  return new Map(rows.map(({ qr_id, stands_for }) => [qr_id, stands_for]));
}

/** Returns the caller's item that this further code leads to, or null. Throws the data service's error. */
export async function findItemOfFurtherCode(client: DataClient, code: string): Promise<Item | null> {
  const { data, error } = await client
    .from('qr_codes')
    .select('stands_for')
    .eq('qr_id', code)
    .maybeSingle()
    .overrideTypes<{ readonly stands_for: string | null }, { merge: false }>();
  if (error) throw error;
  return data === null || data.stands_for === null ? null : findOwnItem(client, data.stands_for);
}

/** Why a sticker was not put on an item. */
export type AttachRefusal = 'taken' | 'notIssued' | 'itemFull' | 'accountFull' | 'itemGone';

const REFUSALS: Readonly<Record<string, AttachRefusal>> = {
  '23505': 'taken',
  '22023': 'notIssued',
  PT404: 'itemGone',
  PT409: 'itemFull',
  PT413: 'accountFull',
};

/**
 * Puts a sticker on an item of the caller's. It is safe to repeat after `unreachable`. Throws all other errors of the
 * data service.
 */
export async function attachSticker(
  client: DataClient,
  code: string,
  itemId: string,
): Promise<'attached' | AttachRefusal | 'unreachable'> {
  const { error, status } = await client.rpc('attach_qr_code', { qr_id_param: code, item_id_param: itemId });
  if (!error) return 'attached';
  const refusal = REFUSALS[error.code];
  if (refusal !== undefined) return refusal;
  if (isUnreachable(status)) return 'unreachable';
  throw error;
}

/** Takes a sticker from its item; one that is on no item of the caller's is gone already. Throws the data service's error. */
export async function detachSticker(client: DataClient, code: string): Promise<void> {
  const { error } = await client.rpc('detach_qr_code', { qr_id_param: code });
  if (error && error.code !== 'PT404') throw error;
}
