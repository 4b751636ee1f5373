import { asPostgresError } from '#server/postgres/sqlstate.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { Metadata } from '../accounts/metadata.ts';
import { makeWay } from '../accounts/prove-identifier.ts';
import { savingUser } from '../accounts/saving-user.ts';
import { findUserByEmail, lockAddress, USER, type UserRow } from '../accounts/user.ts';
import { END_OF_EMAIL_CHANGE, END_OF_PHONE_CHANGE } from '../codes/spend-codes.ts';
import { AuthError } from '../wire/auth-error.ts';

/** An account as an operator sets it. */
export interface AccountRecord {
  readonly id: string;
  readonly email: string | null;
  /** The address while it is not proved. At most one of `email` and `claimedEmail` is set. */
  readonly claimedEmail: string | null;
  /** E.164 without the plus. */
  readonly phone: string | null;
  readonly passwordHash: string | null;
  readonly emailConfirmedAt: Date | null;
  readonly phoneConfirmedAt: Date | null;
  readonly appMetadata: Metadata;
  readonly userMetadata: Metadata;
  readonly bannedUntil: Date | null;
}

/** Which accounts a page lists: those whose email address, number or name contains the text, ordered by age. */
export interface UserListing {
  readonly filter: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

const MATCHES = `($1 = '' or strpos(lower(concat_ws(' ', account.email, account.claimed_email, account.phone,
  account.raw_user_meta_data ->> 'full_name')), lower($1)) > 0)`;

/** Includes soft-deleted accounts, which have `deleted_at`. */
export async function listUsers(from: Transaction, { filter, order, limit, offset }: UserListing): Promise<UserRow[]> {
  const { rows } = await from.query<UserRow>({
    name: `auth_list_users_${order}`,
    text: `select ${USER} from auth.users as account where ${MATCHES}
             order by account.created_at ${order}, account.id ${order} limit $2 offset $3`,
    values: [filter, limit, offset],
  });
  return rows;
}

export async function countUsers(from: Transaction, filter: string): Promise<number> {
  const { rows } = await from.query<{ count: number }>({
    name: 'auth_count_users',
    text: `select count(*)::integer as count from auth.users as account where ${MATCHES}`,
    values: [filter],
  });
  return rows[0]?.count ?? 0;
}

/** Returns the account, or the tombstone of a soft-deleted one. */
export async function findAnyUser(from: Transaction, id: string): Promise<UserRow | undefined> {
  const { rows } = await from.query<UserRow>({
    name: 'auth_any_user',
    text: `select ${USER} from auth.users as account where account.id = $1`,
    values: [id],
  });
  return rows[0];
}

/**
 * Throws `emailExists`, `phoneExistsForOperator` or `userIdExists` where another account has that address, number or id,
 * and `userNotCreated` where a trigger of the operator fails.
 */
export async function insertAccount(transaction: Transaction, account: AccountRecord): Promise<void> {
  const insert = () =>
    transaction.query({
      name: 'auth_admin_insert_user',
      text: `insert into auth.users (id, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at,
                 raw_app_meta_data, raw_user_meta_data, banned_until, claimed_email, registered_on)
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '')`,
      values: valuesOf(account),
    });
  await savingUser(() => sayWhatExists(insert), 'userNotCreated');
  await putIdentities(transaction, account);
}

/** Throws the same errors. An account that is given an address, a number or a password is no longer anonymous. */
export async function replaceAccount(transaction: Transaction, account: AccountRecord): Promise<void> {
  await sayWhatExists(() =>
    transaction.query({
      name: 'auth_admin_update_user',
      text: `update auth.users set email = $2, phone = $3, encrypted_password = $4, email_confirmed_at = $5,
                 phone_confirmed_at = $6, raw_app_meta_data = $7, raw_user_meta_data = $8, banned_until = $9,
                 claimed_email = $10, is_anonymous = is_anonymous and coalesce($2, $3, $4, $10) is null
               where id = $1`,
      values: valuesOf(account),
    }),
  );
  await putIdentities(transaction, account);
}

/**
 * Throws `emailExists` where another account has proved the address. With `isProved`, other accounts lose their claims
 * to it.
 */
export async function requireFreeAddress(
  transaction: Transaction,
  { id, email, isProved }: { readonly id: string; readonly email: string; readonly isProved: boolean },
): Promise<void> {
  await lockAddress(transaction, email);
  const holder = await findUserByEmail(transaction, email);
  if (holder !== undefined && holder.id !== id) throw new AuthError('emailExists');
  if (isProved) await makeWay(transaction, id, email);
}

/** Voids all codes of the account and any pending change of its address or number. */
export async function voidPending(transaction: Transaction, id: string): Promise<void> {
  await transaction.query({
    name: 'auth_admin_void_pending',
    text: `with pending as (delete from auth.one_time_tokens where user_id = $1),
             exchangeable as (delete from auth.authorization_codes where user_id = $1)
             update auth.users set ${END_OF_EMAIL_CHANGE}, ${END_OF_PHONE_CHANGE} where id = $1`,
    values: [id],
  });
}

export async function deleteUser(transaction: Transaction, id: string): Promise<void> {
  await transaction.query({ name: 'auth_delete_user', text: 'delete from auth.users where id = $1', values: [id] });
}

/**
 * Inserts a tombstone with the id and the dates of a deleted account, so that the id is never reused. The address is
 * stored only as a fingerprint.
 */
export async function insertTombstone(
  transaction: Transaction,
  {
    id,
    email,
    claimed_email: claimed,
    created_at: createdAt,
  }: Pick<UserRow, 'id' | 'email' | 'claimed_email' | 'created_at'>,
  deletedAt: Date,
): Promise<void> {
  await transaction.query({
    name: 'auth_insert_tombstone',
    text: `insert into auth.users (id, email, created_at, deleted_at)
             values ($1::uuid, encode(sha256(convert_to($1::uuid || ' ' || $2, 'UTF8')), 'hex'), $3, $4)`,
    values: [id, email ?? claimed, createdAt, deletedAt],
  });
  // A trigger gave the new row a profile.
  await transaction.query({
    name: 'auth_delete_profile',
    text: 'delete from public.profiles where id = $1',
    values: [id],
  });
}

function valuesOf(account: AccountRecord): unknown[] {
  return [
    account.id,
    account.email,
    account.phone,
    account.passwordHash,
    account.emailConfirmedAt,
    account.phoneConfirmedAt,
    account.appMetadata,
    account.userMetadata,
    account.bannedUntil,
    account.claimedEmail,
  ];
}

/** Stores the sign-in identities of the account, its address and its number, under the account's own id. */
async function putIdentities(transaction: Transaction, account: AccountRecord): Promise<void> {
  const verified = {
    email_verified: account.emailConfirmedAt !== null,
    phone_verified: account.phoneConfirmedAt !== null,
  };
  const address = account.email ?? account.claimedEmail;
  const identities = [
    ...(address === null ? [] : [['email', { ...verified, email: address }] as const]),
    ...(account.phone === null ? [] : [['phone', { ...verified, phone: account.phone }] as const]),
  ];
  for (const [provider, data] of identities) {
    await transaction.query({
      name: 'auth_admin_put_identity',
      text: `insert into auth.identities as identity (user_id, provider, provider_id, identity_data)
               values ($1::uuid, $2, $1::uuid::text, $3)
               on conflict (provider, provider_id) do update
                 set identity_data = identity.identity_data || excluded.identity_data, updated_at = now()`,
      values: [account.id, provider, { ...data, sub: account.id }],
    });
  }
}

const EXISTS = {
  users_email: 'emailExists',
  users_phone: 'phoneExistsForOperator',
  users_pkey: 'userIdExists',
} as const;

async function sayWhatExists(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const constraint = asPostgresError(error)?.constraint;
    for (const [name, refusal] of Object.entries(EXISTS)) if (constraint === name) throw new AuthError(refusal);
    throw error;
  }
}
