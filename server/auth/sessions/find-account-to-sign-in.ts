import { allowedAgainAt, type LimitPeek } from '#server/limits/rate-limits.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { UserRow } from '../accounts/user.ts';
import { MOST_CLAIMS } from '../accounts/user.ts';

/** What a sign-in reads of an account before the password is checked. */
export type AccountToSignIn = Pick<
  UserRow,
  'id' | 'email' | 'claimed_email' | 'encrypted_password' | 'confirmed_at' | 'banned_until'
>;

export interface SignInQuestion {
  readonly by: 'email' | 'phone';
  /** The address, or the number in E.164 with the plus. */
  readonly value: string;
  /** Hash of the device's cookie; null where it sent none. */
  readonly deviceHash: Buffer | null;
  /** The counters that apply where the account knows the device, and where it does not. */
  readonly guesses: { readonly onKnownDevice: LimitPeek; readonly elsewhere: LimitPeek };
}

interface AccountFound extends AccountToSignIn {
  /** Whether the account knows this device. */
  readonly onKnownDevice: boolean;
}

export interface SignInFinding {
  /**
   * The account that has proved the address or number, and those that claim the address or claimed it before, in the
   * order they are tried.
   */
  readonly accounts: readonly AccountFound[];
  /** When the next guess is allowed, in milliseconds since the epoch; null where one is allowed now. */
  readonly againOnKnownDevice: number | null;
  readonly againElsewhere: number | null;
  /** The highest cost of the bcrypt hashes that accounts here still have from another service; null without one. */
  readonly importedCost: number | null;
}

/**
 * Accounts that only claim an address are included: accounts registered by SMS sign in with it. So are those that lost
 * their claim and have nothing else to be named by.
 */
const NAMED = {
  email: `(account.email = $1 or account.claimed_email = $1
    or account.lost_email_hash = sha256(convert_to($1, 'UTF8')))`,
  phone: 'account.phone = $1 and account.phone_confirmed_at is not null',
};

/**
 * Reads everything a sign-in needs before the password is hashed, in one statement. Accounts of this device come first,
 * then the one that has proved the address, then confirmed ones, then a registration in this browser, then the oldest, up to a bound, so that a later claim never
 * displaces an earlier one.
 */
export async function findAccountToSignIn(
  from: Transaction,
  { by, value, deviceHash, guesses: { onKnownDevice, elsewhere } }: SignInQuestion,
): Promise<SignInFinding> {
  const { rows } = await from.query<
    AccountFound & {
      readonly found: boolean;
      readonly again_on_known_device: number | null;
      readonly again_elsewhere: number | null;
      readonly imported_cost: number | null;
    }
  >({
    name: `auth_account_to_sign_in_by_${by}`,
    text: `select account.id is not null as found, device.is_known as "onKnownDevice",
               ${allowedAgainAt({ keys: '$3', points: '$4', now: '$7' })} as again_on_known_device,
               ${allowedAgainAt({ keys: '$5', points: '$6', now: '$7' })} as again_elsewhere,
               (select max(substr(encrypted_password, 5, 2)) from auth.users where encrypted_password like '$2%')::integer
                 as imported_cost,
               account.id, account.email, account.claimed_email, account.encrypted_password, account.confirmed_at, account.banned_until
             from (select) as asked
             left join auth.users as account on ${NAMED[by]} and account.deleted_at is null
             cross join lateral internal.is_known_device(account.id, $2) as device (is_known)
             order by not device.is_known, account.email is null, account.confirmed_at is null, account.registered_on is distinct from $2,
               account.created_at, account.id
             limit ${MOST_CLAIMS}`,
    values: [
      by === 'phone' ? value.replace('+', '') : value,
      deviceHash,
      onKnownDevice.keys,
      onKnownDevice.points,
      elsewhere.keys,
      elsewhere.points,
      elsewhere.now,
    ],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('The statement always returns a row.');
  return {
    accounts: row.found ? rows : [],
    againOnKnownDevice: row.again_on_known_device,
    againElsewhere: row.again_elsewhere,
    importedCost: row.imported_cost,
  };
}
