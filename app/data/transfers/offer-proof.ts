import { readSessionStorage, writeSessionStorage } from '#app/client/browser-storage.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';

/**
 * Returns the token by which the emailed link of an offer proves its address, or null. It is kept for this tab, because a
 * visitor signs in before it counts, and leaves the URL for that.
 */
export function offerProof(offerId: string): string | null {
  const key = `${readPublicConfig().storagePrefix}_offer_proof`;
  const inAddress = new URLSearchParams(location.hash.slice(1)).get('token_hash');
  // A token begins with the id of its offer.
  if (inAddress?.startsWith(`${offerId}.`)) writeSessionStorage(key, inAddress);
  const kept = readSessionStorage(key);
  return kept?.startsWith(`${offerId}.`) ? kept : null;
}
