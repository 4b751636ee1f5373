import { allowedAgainAt, type LimitPeek } from '#server/http/limit-peek.ts';
import type { Transaction } from '#server/postgres/statement.ts';
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

export interface SignInFinding {
  /** The account of an e-mail address or of a proved number; undefined where there is none. */
  readonly user: AccountToSignIn | undefined;
  readonly onKnownDevice: boolean;
  /** When there may be another guess, in milliseconds since the epoch; null where there may be one now. */
  readonly allowedAgainAt: number | null;
}

/** An address that nobody has proved names an account all the same: its owner is told what is left to do. */
const NAMED = { email: 'account.email = $1', phone: 'account.phone = $1 and account.phone_confirmed_at is not null' };

/** Everything that a sign-in asks before the password is hashed, in one statement. */
export async function findAccountToSignIn(
  from: Transaction,
  { by, value, deviceHash, guesses: { onKnownDevice, elsewhere } }: SignInQuestion,
): Promise<SignInFinding> {
  const { rows } = await from.query<
    AccountToSignIn & { readonly found: boolean; readonly on_known_device: boolean; readonly again_at: number | null }
  >({
    name: `auth_account_to_sign_in_by_${by}`,
    text: `select account.id is not null as found, device.user_id is not null as on_known_device,
               case when device.user_id is not null
                 then ${allowedAgainAt({ keys: '$3', points: '$4', now: '$7' })}
                 else ${allowedAgainAt({ keys: '$5', points: '$6', now: '$7' })}
               end as again_at,
               account.id, account.encrypted_password, account.confirmed_at, account.banned_until
             from (select) as asked
             left join auth.users as account on ${NAMED[by]} and account.deleted_at is null
             left join auth.known_devices as device on device.user_id = account.id and device.device_hash = $2`,
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
  return { user: row.found ? row : undefined, onKnownDevice: row.on_known_device, allowedAgainAt: row.again_at };
}
