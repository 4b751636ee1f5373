import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '#server/config.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { Secrets } from '#server/start/secrets.ts';

/** What a link in an email to a finder does: prove the address, open the conversation, or remove the address. */
type FinderLinkPurpose = 'confirm' | 'open' | 'stop';

export type FinderLinks = ReturnType<typeof finderLinks>;

export interface FinderLinksOptions {
  readonly config: { readonly publicUrl: string; readonly secrets: Pick<Config['secrets'], 'secondFactorSecret'> };
  readonly secrets: Pick<Secrets, 'refreshTokenSecret'>;
}

const ID_BYTES = 16;
/** An id and an HMAC-SHA-256, in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{64}$/;

/**
 * The links in emails to finders. A token is the id of the finder's address and its HMAC with the service's secret, for one
 * purpose. Nothing of it is stored: the database alone gives nobody a link, and a link ends with the address.
 *
 * The links contain no tag code, which an owner may have chosen.
 */
export function finderLinks({ config, secrets }: FinderLinksOptions) {
  // The secret that stays when REFRESH_TOKEN_SECRET is changed.
  const key = deriveKey(config.secrets.secondFactorSecret ?? secrets.refreshTokenSecret, 'links to finders');
  const signatureOf = (purpose: FinderLinkPurpose, id: Buffer): Buffer =>
    createHmac('sha256', key).update(`${purpose} `).update(id).digest();

  return {
    /** Returns the link for the address with this id. */
    linkFor(purpose: FinderLinkPurpose, addressId: string): string {
      const id = Buffer.from(addressId.replaceAll('-', ''), 'hex');
      const token = Buffer.concat([id, signatureOf(purpose, id)]).toString('base64url');
      return `${config.publicUrl}/replies/${purpose}/${token}`;
    },

    /** Returns the id of the address that a token was made for, or null where we made none like it for the purpose. */
    addressOf(purpose: FinderLinkPurpose, token: string): string | null {
      if (!TOKEN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const id = bytes.subarray(0, ID_BYTES);
      if (!timingSafeEqual(bytes.subarray(ID_BYTES), signatureOf(purpose, id))) return null;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}
