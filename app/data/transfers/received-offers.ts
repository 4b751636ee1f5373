import * as v from 'valibot';
import type { AppClient } from '#app/client/app-client.ts';

/** Why an item was not accepted. `gone`: the offer is no longer open to the account. */
export type AcceptRefusal = 'gone' | 'noRoom' | 'void';

const REFUSALS: Readonly<Record<string, AcceptRefusal>> = { PT404: 'gone', PT413: 'noRoom', PT423: 'void' };

const accepted = v.object({ qr_id: v.string() });

/**
 * Accepts an offer, and returns the code of the item, which is the account's from then on. It is safe to repeat. Throws
 * all other errors of the data service.
 */
export async function acceptOffer(
  client: AppClient,
  offerId: string,
): Promise<{ readonly code: string } | AcceptRefusal> {
  const { data, error } = await client.rpc('accept_offer', { offer_id_param: offerId });
  if (error === null) return { code: v.parse(accepted, data).qr_id };
  const refusal = REFUSALS[error.code];
  if (refusal !== undefined) return refusal;
  throw error;
}

/** Declines an offer; one that is no longer open is over already. Throws all other errors of the data service. */
export async function declineOffer(client: AppClient, offerId: string): Promise<void> {
  const { error } = await client.rpc('decline_offer', { offer_id_param: offerId });
  if (error && error.code !== 'PT404') throw error;
}

/**
 * Proves the address that the offer was mailed to, with the token of the email's link: the offer is then the account's to
 * accept, if the account names that address as its own. Returns whether it did. Throws nothing.
 */
export async function proveOfferedAddress(client: AppClient, tokenHash: string): Promise<boolean> {
  const { error } = await client.auth.verifyOtp({ token_hash: tokenHash, type: 'email' });
  return error === null;
}
