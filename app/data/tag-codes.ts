import type { PostgrestError } from '@supabase/supabase-js';
import { readSessionStorage, writeSessionStorage } from '#app/client/browser-storage.ts';
import type { DataClient } from '#app/client/data-client.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';
import { randomId } from '#domain/ids.ts';
import type { FoundItem } from '#domain/item/found-item.ts';
import { generateTagCode, isTagCode } from '#domain/tag-code/tag-code.ts';

/**
 * Returns what a finder may see of the item with this code, or null if there is none. Throws the data service's error.
 */
export async function findItem(client: DataClient, qrId: string): Promise<FoundItem | null> {
  const { data, error } = await client.rpc('find_item', { qr_id_param: qrId });
  if (error) throw error;
  // The database function builds exactly this object; tests/policies verifies it.
  return data as FoundItem | null;
}

/**
 * Returns the owner of the code: the caller's own id, a random id if another account owns it, or null if it is
 * unclaimed. Throws the data service's error.
 */
export async function findCodeOwner(client: DataClient, qrId: string): Promise<string | null> {
  const { data, error } = await client.rpc('get_qr_code_owner', { qr_id_param: qrId });
  if (error) throw error;
  // The database function returns a uuid or null.
  return data as string | null;
}

/**
 * Returns whether the caller can tag an item with the code: it is free, or the caller's own. Throws the data service's
 * error.
 */
export async function canClaimCode(client: DataClient, qrId: string): Promise<boolean> {
  const { data, error } = await client.rpc('can_claim_code', { qr_id_param: qrId });
  if (error) throw error;
  return data === true;
}

/** Returns why the caller's own code is void, or null where it is not. Throws the data service's error. */
export async function findVoidReason(client: DataClient, qrId: string): Promise<string | null> {
  const { data, error } = await client
    .from('qr_codes')
    .select('void_reason')
    .eq('qr_id', qrId)
    .maybeSingle()
    .overrideTypes<{ readonly void_reason: string | null }, { merge: false }>();
  if (error) throw error;
  return data?.void_reason ?? null;
}

/** Returns the tag code with this typed code, or null if there is none. Throws the data service's error. */
export async function findTypedCode(client: DataClient, typedCode: string): Promise<string | null> {
  const { data, error } = await client.rpc('find_typed_code', { typed_code_param: typedCode });
  if (error) throw error;
  // The database function returns text or null.
  return data as string | null;
}

/** Claims the code for the caller, without an item. Resolves with the error, or null on success. */
export async function registerCode(client: DataClient, qrId: string, userId: string): Promise<PostgrestError | null> {
  const { error } = await client.rpc('register_qr_code', { qr_id_param: qrId, user_id_param: userId });
  return error;
}

const keyOf = (storagePrefix: string) => `${storagePrefix}_new_item_code`;

/**
 * Returns the code for an item without a sticker. The code is generated once per tab, survives reloads, and stays the
 * same until it is used. Where only codes of the service may be claimed, it is null until `claimItemCode` got one.
 */
export function newItemCode(): string | null {
  const { storagePrefix, claimableCodes } = readPublicConfig();
  const key = keyOf(storagePrefix);
  const kept = readSessionStorage(key);
  if (kept !== null && isTagCode(kept)) return kept;
  if (claimableCodes === 'issued') return null;
  const code = generateTagCode((bytes) => crypto.getRandomValues(bytes));
  writeSessionStorage(key, code);
  return code;
}

/**
 * Has the service generate the code for an item without a sticker. It is the caller's from then on, and kept like that of
 * `newItemCode`. Where the outcome is unknown, a repeated call gets the same code, also after a reload. Throws the data
 * service's error.
 */
export async function claimItemCode(client: DataClient): Promise<string | 'unreachable'> {
  const kept = newItemCode();
  if (kept !== null) return kept;
  const { storagePrefix } = readPublicConfig();
  const requestKey = `${storagePrefix}_new_item_request`;
  const request = readSessionStorage(requestKey) ?? randomId();
  writeSessionStorage(requestKey, request);
  const { data, error, status } = await client.rpc('claim_new_code', { request_id_param: request });
  if (error && isUnreachable(status)) return 'unreachable';
  if (error) throw error;
  // The database function returns text.
  const code = data as string;
  writeSessionStorage(keyOf(storagePrefix), code);
  writeSessionStorage(requestKey, null);
  return code;
}

/**
 * Discards the code once it has an item or never will, so that the next item gets a new one. Does nothing for any other
 * code.
 */
export function clearNewItemCode(code: string): void {
  const key = keyOf(readPublicConfig().storagePrefix);
  if (readSessionStorage(key) === code) writeSessionStorage(key, null);
}
