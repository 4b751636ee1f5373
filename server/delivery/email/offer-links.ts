import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Dependencies } from '#server/dependencies.ts';
import { deriveKey } from '#server/derive-key.ts';

/** An offer, and the address that it was mailed to. */
export interface MailedOffer {
  readonly id: string;
  readonly email: string;
}

export interface OfferLinksOptions {
  readonly config: Pick<Dependencies['config'], 'publicUrl'>;
  readonly secrets: Pick<Dependencies['secrets'], 'refreshTokenSecret'>;
}

const TOKEN = /^([0-9a-f-]{36})\.[\w-]{43}$/;

/**
 * The links in emails about offers. A token is the offer's id and an HMAC-SHA-256 of it and its address: nothing is
 * stored, and the reader of the email alone has it, in the fragment, which no server sees.
 */
export function offerLinks({ config, secrets }: OfferLinksOptions) {
  const key = deriveKey(secrets.refreshTokenSecret, 'links of offers');
  const tokenOf = ({ id, email }: MailedOffer) =>
    `${id}.${createHmac('sha256', key)
      .update(JSON.stringify([id, email]))
      .digest('base64url')}`;

  return {
    linkTo(offer: MailedOffer): string {
      return `${config.publicUrl}/offer/${offer.id}#token_hash=${tokenOf(offer)}`;
    },

    /** Whether the token was mailed with this offer, to this address. */
    isOf(offer: MailedOffer, token: string): boolean {
      const [right, given] = [Buffer.from(tokenOf(offer)), Buffer.from(token)];
      return right.byteLength === given.byteLength && timingSafeEqual(right, given);
    },
  };
}

/** Returns the id of the offer that a token names, not yet compared; null for a token of another kind. */
export function offerIdOf(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null;
}
