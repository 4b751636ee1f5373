import { allowedAgainAt, type LimitPeek } from '#server/http/limit-peek.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { MOST_CLAIMS } from './claim-queries.ts';
import type { UserRow } from './user-object.ts';

/** As much of an account as a sign-in has to know beforehand. */
export type AccountToSignIn = Pick<UserRow, 'id' | 'encrypted_password' | 'confirmed_at' | 'banned_until'>;

export interface SignInQuestion {
  readonly by: 'email' | 'phone';
  /** The address, or the number in E.164 with the plus. */
  readonly value: string;
  /** What the database keeps of the device; null where it brought no cookie. */
  readonly deviceHash: Buffer | null;
  /** Which guesses count where the account has signed in on the device before, and where not. */
  readonly guesses: { readonly onKnownDevice: LimitPeek; readonly elsewhere: LimitPeek };
}

interface AccountFound extends AccountToSignIn {
  /** Whether the account has signed in on this device before. */
  readonly onKnownDevice: boolean;
}

export interface SignInFinding {
  /** The account that has proved the address or number; else those that claim the address, in the order of their turn. */
  readonly accounts: readonly AccountFound[];
  /** When there may be another guess, in milliseconds since the epoch; null where there may be one now. */
  readonly againOnKnownDevice: number | null;
  readonly againElsewhere: number | null;
}

/** An address that is only claimed names accounts all the same: registrations by SMS sign in with it. */
const NAMED = {
  email: '(account.email = $1 or account.claimed_email = $1)',
  phone: 'account.phone = $1 and account.phone_confirmed_at is not null',
};

/**
 * Everything that a sign-in asks before the password is hashed, in one statement. Accounts of this device come first,
 * then confirmed ones, then the older ones, up to a bound, so that a later claim never takes the turn of an earlier one.
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
    }
  >({
    name: `auth_account_to_sign_in_by_${by}`,
    text: `select account.id is not null as found, device.user_id is not null as "onKnownDevice",
               ${allowedAgainAt({ keys: '$3', points: '$4', now: '$7' })} as again_on_known_device,
               ${allowedAgainAt({ keys: '$5', points: '$6', now: '$7' })} as again_elsewhere,
               account.id, account.encrypted_password, account.confirmed_at, account.banned_until
             from (select) as asked
             left join auth.users as account on ${NAMED[by]} and account.deleted_at is null
             left join auth.known_devices as device on device.user_id = account.id and device.device_hash = $2
             order by device.user_id is null, account.confirmed_at is null, account.created_at, account.id
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
  if (row === undefined) throw new Error('The statement always answers with a row.');
  return {
    accounts: row.found ? rows : [],
    againOnKnownDevice: row.again_on_known_device,
    againElsewhere: row.again_elsewhere,
  };
}
