import type { Transaction } from '#server/postgres/statement.ts';
import { enqueueAccountMail } from './enqueue-account-mail.ts';
import { lockAddress, lockPhone } from './user.ts';

/**
 * Makes an address the account's proved address. `makeWay` describes what happens to other accounts that claim it.
 * Returns false and changes nothing where another account has proved the address.
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
 * Clears the way for an account to prove an address; every way to prove one calls this first.
 *
 * Unconfirmed registrations that claim the address are deleted. Other accounts that claim it keep their data, lose the
 * claim and are notified. Returns false where another account has proved the address. See
 * docs/decisions/0050-the-life-of-an-unproved-identifier.md.
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
                 -- Without a number it would have no name to sign in with.
                 lost_email_hash = case when phone is null then sha256(convert_to(claimed_email, 'UTF8')) end,
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

/**
 * Marks the phone number as proved and confirms the account. Only the first account to prove a number stores it; a
 * household that shares a phone can still have several accounts.
 */
export async function confirmPhone(transaction: Transaction, userId: string, phone: string, at: Date): Promise<void> {
  const digits = phone.replace('+', '');
  await lockPhone(transaction, digits);
  await transaction.query({
    name: 'auth_confirm_phone',
    text: `with identity as (
               update auth.identities
                 set identity_data = identity_data || '{"phone_verified": true}', updated_at = $3
                 where user_id = $1 and provider = 'email'
             )
             update auth.users as account
               set phone = case
                     when exists (
                       select from auth.users as other
                         where other.phone = $2 and other.deleted_at is null and other.id <> account.id
                     ) then account.phone
                     else $2
                   end,
                   phone_confirmed_at = coalesce(account.phone_confirmed_at, $3), registration_phone = null,
                   raw_user_meta_data = account.raw_user_meta_data || '{"phone_verified": true}'
               where account.id = $1`,
    values: [userId, digits, at],
  });
}

/**
 * Removes everything that was entered in a registration: the password, the name and all other metadata, and the phone
 * number unless `keepsPhone`, because someone else may have entered it. Sets `app_metadata.password_needed` until the
 * owner chooses a password.
 */
export async function clearTypedDetails(
  transaction: Transaction,
  userId: string,
  { keepsPhone }: { readonly keepsPhone: boolean },
): Promise<void> {
  await transaction.query({
    name: 'auth_forget_typed_details',
    text: `with profile as (
               update public.profiles set full_name = null, phone = case when $2 then phone end where id = $1
             ), identity as (
               update auth.identities set identity_data = ${proved('identity_data')}
                 where user_id = $1 and provider = 'email'
             )
             update auth.users set
               raw_app_meta_data = case
                 when encrypted_password is null then raw_app_meta_data
                 else raw_app_meta_data || '{"password_needed": true}'
               end,
               encrypted_password = null,
               raw_user_meta_data = ${proved('raw_user_meta_data')}
             where id = $1`,
    values: [userId, keepsPhone],
  });
}

/** What the service itself wrote to metadata, and the phone number where `$2` says that it is proved. */
function proved(metadata: 'identity_data' | 'raw_user_meta_data'): string {
  const names = `'{sub, email, email_verified, phone_verified}'::text[] || case when $2 then '{phone}'::text[] else '{}' end`;
  return `coalesce((
    select jsonb_object_agg(entry.key, entry.value) from jsonb_each(${metadata}) as entry where entry.key = any(${names})
  ), '{}')`;
}

/** Makes the tag code from the registration the account's first item, unless another account owns that code. */
export async function tagAtRegistration(transaction: Transaction, userId: string, qrId: string): Promise<void> {
  await transaction.query({
    name: 'auth_tag_at_registration',
    text: 'select internal.tag_at_registration($1, $2)',
    values: [userId, qrId],
  });
}

/** Records the account's providers in its own row, oldest first, and that it is not anonymous. */
export async function noteProviders(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_note_providers',
    text: `update auth.users as account
             set is_anonymous = false, raw_app_meta_data = account.raw_app_meta_data
               || jsonb_build_object('provider', linked.names -> 0, 'providers', linked.names)
             from (
               select jsonb_agg(provider order by since, provider) as names
                 from (select provider, min(created_at) as since from auth.identities
                   where user_id = $1 group by provider) as named
             ) as linked
             where account.id = $1 and linked.names is not null`,
    values: [userId],
  });
}
