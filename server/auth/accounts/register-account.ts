import { randomUUID } from 'node:crypto';
import type { Transaction } from '#server/postgres/statement.ts';
import { hasLivingCode } from '../codes/earlier-codes.ts';
import type { Metadata } from './metadata.ts';
import { savingUser } from './saving-user.ts';
import { findUserByEmail, lockAddress, type UserRow } from './user.ts';

export type Registered =
  | {
      readonly outcome: 'unconfirmed';
      readonly userId: string;
      /**
       * False where too many registrations wait for the recipient. `userId` is then another browser's registration,
       * which the code is sent for: the proof opens an account all the same, without what was entered here.
       */
      readonly isKept: boolean;
    }
  | { readonly outcome: 'exists' };

export interface Registration {
  readonly email: string;
  /** Null for an account created without a password. */
  readonly passwordHash: string | null;
  readonly data: Metadata;
  /** Where the code goes, in E.164; null where it goes to the email address. */
  readonly phone: string | null;
  /** Hash of the cookie of the registering device. */
  readonly registeredOn: Buffer;
}

/** Marks a registration by an operator in place of a device hash. */
export const BY_OPERATOR = Buffer.alloc(0);

/** The most registrations that wait for one recipient of an address, so that each proof and sign-up stays quick. */
export const MOST_REGISTRATIONS = 100;

/**
 * Creates an unconfirmed account for the registration, or replaces the details of the one that the same browser
 * registered before. Registrations of other browsers are not changed, deleted or shown (see `settleRegistration`).
 *
 * Returns `exists` where an account has proved the address, or claims it and has proved the number.
 */
export async function registerAccount(transaction: Transaction, registration: Registration): Promise<Registered> {
  const { email, phone, registeredOn } = registration;
  await lockAddress(transaction, email);
  if ((await findUserByEmail(transaction, email)) !== undefined) return { outcome: 'exists' };
  if (phone !== null && (await isClaimedWithPhone(transaction, email, phone))) return { outcome: 'exists' };
  const pending = await findRegistrations(transaction, email, phone);
  const own = registrationOf(pending, registeredOn);
  const newest = pending.at(-1);
  if (own === undefined && newest !== undefined && pending.length >= MOST_REGISTRATIONS) {
    return { outcome: 'unconfirmed', userId: newest.id, isKept: false };
  }
  const id = own?.id ?? randomUUID();
  let { passwordHash, data } = registration;
  // A request for a code, in the browser that registered, changes nothing that was entered there.
  if (own !== undefined && passwordHash === null && registeredOn !== BY_OPERATOR) {
    passwordHash = own.encrypted_password;
    if (Object.keys(data).length === 0) data = own.raw_user_meta_data;
  }
  const identity = { ...data, email, email_verified: false, phone_verified: false, sub: id };
  // As in the reference, the account of an operator begins with the metadata that the operator gave.
  const metadata = registeredOn === BY_OPERATOR ? data : identity;
  const details = { id, email, passwordHash, metadata, phone, registeredOn };
  if (own === undefined) {
    await insertUser(transaction, details);
    const earlier = pending.map((one) => one.id);
    await inheritFailures(transaction, id, earlier);
  } else {
    await replaceUnconfirmedUser(transaction, details);
  }
  await putEmailIdentity(transaction, id, identity);
  return { outcome: 'unconfirmed', userId: id, isKept: true };
}

/**
 * Replaces the details of the registration that the same browser made before, if its code still works. Returns its id,
 * or null where nothing was changed: no other client may replace the details of a registration (decision 58).
 */
export async function correctRegistration(
  transaction: Transaction,
  registration: Registration,
  now: () => number,
): Promise<string | null> {
  const { email, phone, registeredOn } = registration;
  await lockAddress(transaction, email);
  const own = registrationOf(await findRegistrations(transaction, email, phone), registeredOn);
  if (own === undefined) return null;
  const recipient = phone ?? email;
  const code = { userId: own.id, recipient, tokenType: 'confirmation' } as const;
  if (!(await hasLivingCode({ alone: transaction, now }, code))) return null;
  const registered = await registerAccount(transaction, registration);
  return registered.outcome === 'exists' ? null : registered.userId;
}

/** Wrong codes in a row are those of the recipient: another registration of it does not begin to count again. */
async function inheritFailures(transaction: Transaction, id: string, earlier: readonly string[]): Promise<void> {
  await transaction.query({
    name: 'auth_inherit_code_failures',
    text: `insert into auth.code_failures (user_id, in_a_row)
             select $1, max(in_a_row) from auth.code_failures where user_id = any($2) having count(*) > 0`,
    values: [id, [...earlier]],
  });
}

export interface AccountDetails {
  readonly id: string;
  readonly email: string;
  /** Null for an account without password sign-in. */
  readonly passwordHash: string | null;
  readonly metadata: Metadata;
}

/** An account as its registration describes it. */
export interface RegisteredDetails extends AccountDetails {
  /** Where its code goes, in E.164; null where it goes to the email address. */
  readonly phone: string | null;
  /** Hash of the cookie of the registering device; empty where an operator registers the account. */
  readonly registeredOn: Buffer;
}

/** Creates an unconfirmed account that claims an address. A trigger adds its profile. Throws `userNotSaved`. */
export async function insertUser(transaction: Transaction, details: RegisteredDetails): Promise<void> {
  const { id, email, passwordHash, metadata, phone, registeredOn } = details;
  await savingUser(() =>
    transaction.query({
      name: 'auth_insert_user',
      text: `insert into auth.users (id, claimed_email, encrypted_password, raw_app_meta_data, raw_user_meta_data,
                 registration_phone, registered_on)
               values ($1, $2, $3, '{"provider": "email", "providers": ["email"]}', $4, $5, $6)`,
      values: [id, email, passwordHash, metadata, phone, registeredOn],
    }),
  );
}

/**
 * Replaces the details of an unconfirmed account, its profile included, with those of the latest registration.
 *
 * Counts it for the audit log, unless it is the same one: with the same password hash, or without a password and with
 * equal details.
 */
export async function replaceUnconfirmedUser(transaction: Transaction, details: RegisteredDetails): Promise<void> {
  const { id, passwordHash, metadata, registeredOn } = details;
  await transaction.query({
    name: 'auth_replace_unconfirmed_user',
    text: `update auth.users set
               encrypted_password = $2,
               raw_user_meta_data = $3,
               registered_on = $4,
               raw_app_meta_data = case
                 when $2::text is null then raw_app_meta_data
                 else raw_app_meta_data - 'password_needed'
               end,
               registrations = registrations
                 + (encrypted_password is distinct from $2
                    or ($2 is null and raw_user_meta_data is distinct from $3))::integer
             where id = $1`,
    values: [id, passwordHash, metadata, registeredOn],
  });
  await transaction.query({
    name: 'auth_replace_profile_of_unconfirmed_user',
    text: `update public.profiles set
               full_name = left(nullif(internal.trim_blanks($2::jsonb ->> 'full_name'), ''), 200),
               phone = left(nullif(internal.trim_blanks($2::jsonb ->> 'phone'), ''), 32)
             where id = $1`,
    values: [id, metadata],
  });
}

/** Creates or updates the email identity of an account. Its id is the account's id. */
export async function putEmailIdentity(transaction: Transaction, userId: string, data: Metadata): Promise<void> {
  await transaction.query({
    name: 'auth_put_email_identity',
    text: `insert into auth.identities (user_id, provider, provider_id, identity_data)
             values ($1::uuid, 'email', $1::uuid::text, $2)
             on conflict (provider, provider_id) do update set identity_data = excluded.identity_data, updated_at = now()`,
    values: [userId, data],
  });
}

/** A registration that waits for its proof, with what was entered in it. */
export type PendingRegistration = Pick<
  UserRow,
  'id' | 'encrypted_password' | 'registered_on' | 'invited_at' | 'raw_user_meta_data'
>;

/**
 * Returns the pending registrations of an address whose code goes to `phone`, or to the address itself where `phone` is
 * null; the oldest first. There is at most one for each browser, and one by an operator. The address must be locked.
 */
export async function findRegistrations(
  transaction: Transaction,
  email: string,
  phone: string | null,
): Promise<PendingRegistration[]> {
  const { rows } = await transaction.query<PendingRegistration>({
    name: 'auth_pending_registrations',
    text: `select id, encrypted_password, registered_on, invited_at, raw_user_meta_data from auth.users
             where claimed_email = $1 and registration_phone is not distinct from $2
               and confirmed_at is null and deleted_at is null
             order by created_at, id`,
    values: [email, phone],
  });
  return rows;
}

/** Returns the registration of a browser, by its device hash, or of an operator, by `BY_OPERATOR`. */
export function registrationOf(
  registrations: readonly PendingRegistration[],
  deviceHash: Buffer | null,
): PendingRegistration | undefined {
  if (deviceHash === null) return undefined;
  return registrations.find(({ registered_on: device }) => device?.equals(deviceHash));
}

/** Deletes the other pending registrations whose code goes to the same phone number (E.164). */
export async function deleteOtherRegistrations(
  transaction: Transaction,
  { id, email, phone }: { readonly id: string; readonly email: string; readonly phone: string },
): Promise<void> {
  await transaction.query({
    name: 'auth_delete_other_registrations',
    text: `delete from auth.users
             where claimed_email = $2 and registration_phone = $3 and id <> $1
               and confirmed_at is null and deleted_at is null`,
    values: [id, email, phone],
  });
}

/**
 * Whether an account that claims the address has proved the phone number (E.164). Such an account belongs to the holder
 * of both.
 */
async function isClaimedWithPhone(from: Transaction, email: string, phone: string): Promise<boolean> {
  const { rowCount } = await from.query({
    name: 'auth_claimed_with_phone',
    text: 'select from auth.users where claimed_email = $1 and phone = $2 and deleted_at is null',
    values: [email, phone.replace('+', '')],
  });
  return rowCount !== 0;
}
