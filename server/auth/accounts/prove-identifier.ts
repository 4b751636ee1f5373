import type { Transaction } from '#server/postgres/statement.ts';
import { enqueueAccountMail } from './enqueue-account-mail.ts';

/**
 * Holds an address until the transaction ends: its registrations and its proof come one after the other. It is taken
 * before the account is locked, in every transaction that takes both; in the other order two could wait for each other.
 */
export async function lockAddress(transaction: Transaction, email: string): Promise<void> {
  await transaction.query({
    name: 'auth_lock_address',
    text: `select pg_advisory_xact_lock(hashtextextended('email:' || $1, 0))`,
    values: [email],
  });
}

/**
 * Makes an address an account's own, because its reader has shown that the account is theirs. See `makeWay` for what
 * becomes of other accounts. Returns false, with nothing done, where another account has proved the address.
 */
export async function proveEmail(transaction: Transaction, userId: string, email: string, at: Date): Promise<boolean> {
  if (!(await makeWay(transaction, userId, email))) return false;
  await transaction.query({
    name: 'auth_prove_email',
    text: `with identity as (
               update auth.identities set identity_data = identity_data || $4, updated_at = $3
                 where user_id = $1 and provider = 'email'
             ), notices as (
               delete from internal.unproved_notices where user_id = $1
             ), questions as (
               delete from auth.one_time_tokens
                 where user_id = $1 and token_type in ('address_proof', 'address_disowning')
             )
             update auth.users set
               email = $2, claimed_email = null, registration_phone = null,
               email_confirmed_at = case when email = $2 then coalesce(email_confirmed_at, $3) else $3 end,
               raw_app_meta_data = raw_app_meta_data - 'address_lost',
               raw_user_meta_data = raw_user_meta_data || jsonb_build_object('email', $2::text, 'email_verified', true)
             where id = $1`,
    values: [userId, email, at, { email, email_verified: true }],
  });
  return true;
}

/**
 * Prepares for an address to become an account's own; every way to prove one goes through here. Registrations that claim
 * it and were never confirmed go. Other accounts that claim it keep what they proved and made, lose the claim, and are
 * told. Returns false where another account has proved the address. See docs/decisions/0050.
 */
export async function makeWay(transaction: Transaction, userId: string, email: string): Promise<boolean> {
  await lockAddress(transaction, email);
  const { rowCount: holders } = await transaction.query({
    name: 'auth_email_namesake',
    text: 'select from auth.users where email = $2 and id <> $1 and deleted_at is null',
    values: [userId, email],
  });
  if (holders !== 0) return false;
  await transaction.query({
    name: 'auth_delete_unconfirmed_claims',
    text: `delete from auth.users
             where claimed_email = $2 and id <> $1 and confirmed_at is null and deleted_at is null`,
    values: [userId, email],
  });
  await takeClaims(transaction, userId, email);
  return true;
}

async function takeClaims(transaction: Transaction, userId: string, email: string): Promise<void> {
  const { rows } = await transaction.query<{ readonly id: string }>({
    name: 'auth_take_claims',
    text: `with lost as (
               update auth.users set
                 claimed_email = null,
                 raw_user_meta_data = raw_user_meta_data - 'email',
                 raw_app_meta_data = raw_app_meta_data || '{"address_lost": true}'
                 where claimed_email = $2 and id <> $1 and deleted_at is null
                 returning id
             ), identity as (
               update auth.identities set identity_data = identity_data - 'email', updated_at = now()
                 where provider = 'email' and user_id in (select id from lost)
             ), questions as (
               delete from auth.one_time_tokens where relates_to = $2 and user_id in (select id from lost)
             ), notices as (
               delete from internal.unproved_notices where user_id in (select id from lost)
             )
             select id from lost`,
    values: [userId, email],
  });
  for (const { id } of rows) await enqueueAccountMail(transaction, { kind: 'address_lost', userId: id });
}
