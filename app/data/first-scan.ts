import { dataClient } from '#app/client/browser-client.ts';
import type { DataClient } from '#app/client/data-client.ts';
import { SCANNED_HASH } from '#domain/tag-code/scan-address.ts';

/**
 * Notes that the sticker with this code was scanned. Returns whether it is the caller's and this was the first time.
 * Throws the data service's error.
 */
export async function noteScan(client: DataClient, code: string): Promise<boolean> {
  const { data, error } = await client.rpc('note_scan', { qr_id_param: code });
  if (error) throw error;
  return data === true;
}

/** The scan that leads to the next page of an item. Kept here, because a further code redirects to the item's own. */
let isFirst: Promise<boolean> = Promise.resolve(false);

/** Notes that a sticker was scanned, on the way to the page of its item. A failure is left to the next scan. */
export function rememberScan(code: string): void {
  isFirst = dataClient()
    .then((client) => noteScan(client, code))
    .catch(() => false);
}

/** The same for a page that the sticker's own address led to. The URL to share does not say so. */
export function rememberScannedAddress(code: string): void {
  if (location.hash !== SCANNED_HASH) return;
  history.replaceState(history.state, '', location.pathname);
  rememberScan(code);
}

/** Returns whether the user came by the first scan of a sticker of their own; once for each scan. */
export async function takeFirstScan(): Promise<boolean> {
  const taken = isFirst;
  isFirst = Promise.resolve(false);
  return taken;
}
