import type { DataClient } from '#app/client/data-client.ts';

/** The latest offer of an item of the account's own. Times are ISO 8601. */
export interface MadeOffer {
  readonly id: string;
  /** The address that may accept it. */
  readonly email: string;
  readonly expiresAt: string;
  readonly declinedAt: string | null;
}

/** Returns the offer of an item that is open, declined, or expired; null without one. Throws the data service's error. */
export async function loadMadeOffer(client: DataClient, itemId: string): Promise<MadeOffer | null> {
  const { data, error } = await client
    .from('item_offers')
    .select('id, email, expiresAt:expires_at, declinedAt:declined_at')
    .eq('item_id', itemId)
    .is('accepted_at', null)
    .maybeSingle()
    .overrideTypes<MadeOffer, { merge: false }>();
  if (error) throw error;
  return data;
}

/** Why an item was not offered. `address`: the address is no other person's, or gets no mail from this service. */
export type OfferRefusal = 'address' | 'offered' | 'tooMany' | 'itemGone' | 'void' | 'unconfirmed' | 'later';

const REFUSALS: Readonly<Record<string, OfferRefusal>> = {
  '22023': 'address',
  '42501': 'unconfirmed',
  PT404: 'itemGone',
  PT409: 'offered',
  PT413: 'tooMany',
  PT423: 'void',
};

/** Offers an item to the reader of an address. It is safe to repeat. Throws all other errors of the data service. */
export async function offerItem(client: DataClient, itemId: string, email: string): Promise<'made' | OfferRefusal> {
  const { error, status } = await client.rpc('offer_item', { item_id_param: itemId, email_param: email });
  if (error === null) return 'made';
  const refusal = status === 429 ? 'later' : REFUSALS[error.code];
  if (refusal !== undefined) return refusal;
  throw error;
}

/** Cancels an offer. Returns whether it was still there: it may have been accepted. Throws the data service's error. */
export async function cancelOffer(client: DataClient, offerId: string): Promise<boolean> {
  const { data, error } = await client.from('item_offers').delete().eq('id', offerId).select('id');
  if (error) throw error;
  return data.length > 0;
}
