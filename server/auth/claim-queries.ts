import type { Transaction } from '#server/postgres/statement.ts';
import type { UserRow } from './user-object.ts';
import { USER } from './user-queries.ts';

/** Of the accounts that claim an address, so many are looked at. A stranger would have to prove as many numbers. */
export const MOST_CLAIMS = 32;

/**
 * The accounts that claim an address which nobody has proved: those of this browser first, then those that a phone
 * confirmed, then the older ones, so that a later claim never takes the place of an earlier one.
 */
export async function findClaims(
  from: Transaction,
  email: string,
  { deviceHash }: { readonly deviceHash: Buffer | null },
): Promise<UserRow[]> {
  const { rows } = await from.query<UserRow>({
    name: 'auth_claims',
    text: `select ${USER} from auth.users as account
             where account.claimed_email = $1 and account.deleted_at is null
             order by coalesce(account.registered_on = $2, false) or exists (
                 select from auth.known_devices as device
                   where device.user_id = account.id and device.device_hash = $2
               ) desc,
               account.confirmed_at is null, account.created_at, account.id
             limit ${MOST_CLAIMS}`,
    values: [email, deviceHash],
  });
  return rows;
}

/**
 * The registration of an address that waits for its code, at a number or, where that is null, at the address. It stays
 * as it is until the transaction ends.
 */
export async function lockPendingRegistration(
  transaction: Transaction,
  email: string,
  phone: string | null,
): Promise<UserRow | undefined> {
  const { rows } = await transaction.query<UserRow>({
    name: 'auth_lock_pending_registration',
    text: `select ${USER} from auth.users as account
             where account.claimed_email = $1 and account.registration_phone is not distinct from $2
               and account.confirmed_at is null and account.deleted_at is null
             order by account.created_at limit 1 for update of account`,
    values: [email, phone],
  });
  return rows[0];
}

/** Whether an account that claims the address has proved the number, in E.164: whoever has both has that account. */
export async function isClaimedWithPhone(from: Transaction, email: string, phone: string): Promise<boolean> {
  const { rowCount } = await from.query({
    name: 'auth_claimed_with_phone',
    text: 'select from auth.users where claimed_email = $1 and phone = $2 and deleted_at is null',
    values: [email, phone.replace('+', '')],
  });
  return rowCount !== 0;
}

/** Whether the account has signed in on this device before, or was registered there. */
export async function isKnownDevice(from: Transaction, userId: string, deviceHash: Buffer | null): Promise<boolean> {
  if (deviceHash === null) return false;
  const { rowCount } = await from.query({
    name: 'auth_is_known_device',
    text: 'select from auth.known_devices where user_id = $1 and device_hash = $2',
    values: [userId, deviceHash],
  });
  return rowCount !== 0;
}
