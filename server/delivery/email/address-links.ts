import { createHash, createHmac } from 'node:crypto';
import type { Dependencies } from '#server/dependencies.ts';
import { deriveKey } from '#server/derive-key.ts';

/** What the reader of an address can do about it. */
export interface AddressLinks {
  /** Confirms the address, so that notices continue. */
  readonly proveUrl: string;
  /** Removes the address from the account. */
  readonly disownUrl: string;
}

const LIFE_MS = 30 * 24 * 3_600_000;

/**
 * Returns links for the unproved address of an account that was confirmed by SMS. They are derived from account and
 * address, so those in every mail work until one is used. Each mail renews them for 30 days.
 */
export async function makeAddressLinks(
  { database, config, secrets, now }: Pick<Dependencies, 'database' | 'config' | 'secrets' | 'now'>,
  { userId, address }: { readonly userId: string; readonly address: string },
): Promise<AddressLinks> {
  const key = deriveKey(secrets.refreshTokenSecret, 'address links');
  const tokenFor = (type: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([type, userId, address]))
      .digest('base64url');
  const [proof, disowning] = [tokenFor('address_proof'), tokenFor('address_disowning')];
  const at = now();
  await database.asService({
    name: 'put_address_links',
    text: `insert into auth.one_time_tokens
               (user_id, token_type, link_hash, relates_to, channel, created_at, expires_at, link_expires_at, begun_on)
             select account.id, made.token_type, made.link_hash, $2, 'email', $5, $6, $6, account.registered_on
               from auth.users as account
               cross join (values ('address_proof', $3::bytea), ('address_disowning', $4::bytea)) as made (token_type, link_hash)
               where account.id = $1
             on conflict (link_hash) do update set
               expires_at = excluded.expires_at, link_expires_at = excluded.link_expires_at`,
    values: [userId, address, hashOf(proof), hashOf(disowning), new Date(at), new Date(at + LIFE_MS)],
  });
  return {
    proveUrl: `${config.publicUrl}/auth/callback#token_hash=${proof}&type=email`,
    disownUrl: `${config.publicUrl}/not-mine#token_hash=${disowning}`,
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
