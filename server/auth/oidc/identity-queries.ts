import type { Transaction } from '#server/postgres/statement.ts';
import type { Metadata } from '../accounts/metadata.ts';
import { noteProviders } from '../accounts/prove-identifier.ts';

export interface IdentityRow {
  readonly id: string;
  readonly userId: string;
  readonly provider: string;
}

/** Returns an identity of the account, and the number of its identities. */
export async function findOwnIdentity(
  from: Transaction,
  userId: string,
  id: string,
): Promise<(IdentityRow & { readonly count: number }) | undefined> {
  const { rows } = await from.query<IdentityRow & { readonly count: number }>({
    name: 'auth_own_identity',
    text: `select id, user_id as "userId", provider,
               (select count(*)::integer from auth.identities where user_id = $1) as count
             from auth.identities where user_id = $1 and id = $2`,
    values: [userId, id],
  });
  return rows[0];
}

/** Returns the account that a provider's identity is linked to. */
export async function findIdentity(
  from: Transaction,
  provider: string,
  subject: string,
): Promise<IdentityRow | undefined> {
  const { rows } = await from.query<IdentityRow>({
    name: 'auth_identity',
    text: `select id, user_id as "userId", provider from auth.identities where provider = $1 and provider_id = $2`,
    values: [provider, subject],
  });
  return rows[0];
}

/**
 * Links an identity that has no account yet. Returns false where it has one; of several concurrent calls, one succeeds.
 */
export async function linkIdentity(
  transaction: Transaction,
  {
    userId,
    provider,
    subject,
    data,
    now,
  }: {
    readonly userId: string;
    readonly provider: string;
    readonly subject: string;
    readonly data: Metadata;
    readonly now: Date;
  },
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'auth_link_identity',
    text: `insert into auth.identities (user_id, provider, provider_id, identity_data, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $5) on conflict (provider, provider_id) do nothing`,
    values: [userId, provider, subject, data, now],
  });
  await noteProviders(transaction, userId);
  return rowCount === 1;
}

/** Stores the provider's current claims about an identity that signs in. */
export async function touchIdentity(
  transaction: Transaction,
  { id, data, now }: { readonly id: string; readonly data: Metadata; readonly now: Date },
): Promise<void> {
  await transaction.query({
    name: 'auth_touch_identity',
    text: 'update auth.identities set identity_data = $2, last_sign_in_at = $3, updated_at = $3 where id = $1',
    values: [id, data, now],
  });
}

/** Deletes all identities of an unconfirmed account. */
export async function deleteIdentities(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_delete_identities',
    text: 'delete from auth.identities where user_id = $1',
    values: [userId],
  });
}

export async function deleteIdentity(transaction: Transaction, identity: IdentityRow): Promise<void> {
  await transaction.query({
    name: 'auth_delete_identity',
    text: 'delete from auth.identities where id = $1',
    values: [identity.id],
  });
  await noteProviders(transaction, identity.userId);
}
