import type { Transaction } from '#server/postgres/statement.ts';
import { GUESSED_AT, type Guess } from '../codes/redeem-code.ts';
import type { Metadata } from './metadata.ts';

/** A row of auth.users, as the queries of this service read it. */
export interface UserRow {
  readonly id: string;
  readonly aud: string;
  readonly role: string;
  /** The proved address. */
  readonly email: string | null;
  /** The address that the account claims and has not proved. */
  readonly claimed_email: string | null;
  readonly encrypted_password: string | null;
  readonly email_confirmed_at: Date | null;
  readonly phone: string | null;
  readonly phone_confirmed_at: Date | null;
  readonly confirmed_at: Date | null;
  /** Hash of the cookie of the registering device; empty where an operator registered the account. */
  readonly registered_on: Buffer | null;
  /** Where the code of a pending registration goes, in E.164; null where it goes to the email address. */
  readonly registration_phone: string | null;
  readonly confirmation_sent_at: Date | null;
  readonly invited_at: Date | null;
  readonly recovery_sent_at: Date | null;
  readonly new_email: string | null;
  readonly email_change_sent_at: Date | null;
  /** Which confirmations a change of address still waits for. */
  readonly email_change_awaits: readonly ('email_change_current' | 'email_change_new')[];
  readonly new_phone: string | null;
  readonly phone_change_sent_at: Date | null;
  readonly reauthentication_sent_at: Date | null;
  readonly last_sign_in_at: Date | null;
  readonly raw_app_meta_data: Metadata;
  readonly raw_user_meta_data: Metadata;
  readonly is_anonymous: boolean;
  readonly banned_until: Date | null;
  readonly deleted_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** As built by `identities`. */
  readonly identities: readonly Identity[];
  /** As built by `FACTORS`, in the wire format. */
  readonly factors: readonly Factor[];
}

interface Factor {
  readonly id: string;
  readonly factor_type: 'totp' | 'phone' | 'webauthn';
  readonly status: 'verified' | 'unverified';
}

interface Identity {
  readonly identity_id: string;
  readonly id: string;
  readonly user_id: string;
  readonly identity_data: Metadata;
  readonly provider: string;
  readonly last_sign_in_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly email: string | null;
}

const identities = (lastSignInAt: string) => `coalesce((
  select json_agg(json_build_object(
      'identity_id', identity.id, 'id', identity.provider_id, 'user_id', identity.user_id,
      'identity_data', identity.identity_data, 'provider', identity.provider,
      'last_sign_in_at', ${lastSignInAt}, 'created_at', identity.created_at,
      'updated_at', identity.updated_at, 'email', identity.email
    ) order by identity.created_at)
    from auth.identities as identity where identity.user_id = account.id
), '[]')`;

const FACTORS = `coalesce((
  select json_agg(json_strip_nulls(json_build_object(
      'id', factor.id, 'factor_type', factor.factor_type, 'status', factor.status,
      'friendly_name', nullif(factor.friendly_name, ''), 'phone', factor.phone, 'created_at', factor.created_at,
      'updated_at', factor.updated_at, 'last_challenged_at', factor.last_challenged_at
    )) order by factor.created_at, factor.id)
    from auth.mfa_factors as factor where factor.user_id = account.id
), '[]')`;

const columnsOfUser = (
  identitiesOfUser: string,
) => `account.id, account.aud, account.role, account.email, account.claimed_email, account.encrypted_password,
  account.email_confirmed_at, account.phone, account.phone_confirmed_at, account.confirmed_at,
  account.registered_on, account.registration_phone, account.confirmation_sent_at, account.invited_at, account.recovery_sent_at, account.new_email,
  account.email_change_sent_at, account.email_change_awaits,
  account.new_phone, account.phone_change_sent_at, account.reauthentication_sent_at,
  account.last_sign_in_at, account.raw_app_meta_data, account.raw_user_meta_data, account.is_anonymous,
  account.banned_until, account.deleted_at, account.created_at, account.updated_at,
  ${identitiesOfUser} as identities, ${FACTORS} as factors`;

/** The columns of a UserRow, from `auth.users as account`. */
export const USER = columnsOfUser(identities('identity.last_sign_in_at'));

/**
 * The same columns for a statement that also records a sign-in at `at` (a parameter). Such a statement reads the
 * identities as they were before its own update.
 */
export const userSigningIn = (at: string) =>
  columnsOfUser(identities(`case identity.provider when 'email' then ${at} else identity.last_sign_in_at end`));

/**
 * Returns a look-up of one account by a condition on `$1`. Deleted accounts are not found. `isLocked` locks the account
 * until the transaction ends.
 */
function lookUpUser(name: string, condition: string, { isLocked = false } = {}) {
  const lock = isLocked ? ' for update of account' : '';
  const text = `select ${USER} from auth.users as account where ${condition} and account.deleted_at is null${lock}`;
  return async (from: Transaction, value: string): Promise<UserRow | undefined> => {
    const { rows } = await from.query<UserRow>({ name, text, values: [value] });
    return rows[0];
  };
}

export const findUser = lookUpUser('auth_user', 'account.id = $1');
export const lockUser = lookUpUser('auth_lock_user', 'account.id = $1', { isLocked: true });

/** Returns the account that has proved an address. */
export const findUserByEmail = lookUpUser('auth_user_by_email', 'account.email = $1');
export const lockUserByEmail = lookUpUser('auth_lock_user_by_email', 'account.email = $1', { isLocked: true });

/** Returns the account with a confirmed phone number, given in E.164 with the plus. */
export const findUserByPhone = lookUpUser('auth_user_by_phone', "account.phone = ltrim($1, '+')");

/**
 * Locks an address until the transaction ends, so that its registrations and its proof are serialized.
 *
 * Lock order: the address before the account, in every transaction that takes both. The other order could deadlock.
 */
export async function lockAddress(transaction: Transaction, email: string): Promise<void> {
  await transaction.query({
    name: 'auth_lock_address',
    text: `select pg_advisory_xact_lock(hashtextextended('email:' || $1, 0))`,
    values: [email],
  });
}

/**
 * Locks the address and the accounts behind a guess until the transaction ends, accounts in id order so that two
 * transactions cannot deadlock.
 */
export async function lockGuessedAccounts(transaction: Transaction, guess: Guess): Promise<void> {
  // Both are sent together on one connection, so that a later statement runs after both.
  await Promise.all([
    guess.by !== 'id' && lockAddress(transaction, guess.address),
    transaction.query({
      name: `auth_lock_guessed_by_${guess.by}`,
      text: `select from auth.users as account
               where account.deleted_at is null and exists (
                 select from auth.one_time_tokens as code
                   where code.user_id = account.id and code.token_type = any($2) and ${GUESSED_AT[guess.by]}
               )
               order by account.id for update of account`,
      values: [guess.address, [...guess.tokenTypes]],
    }),
  ]);
}

/**
 * Locks a phone number until the transaction ends, so that two transactions that prove it serialize before either looks
 * for the other's account.
 */
export async function lockPhone(transaction: Transaction, digits: string): Promise<void> {
  await transaction.query({
    name: 'auth_lock_phone',
    text: `select pg_advisory_xact_lock(hashtextextended('phone:' || $1, 0))`,
    values: [digits],
  });
}

/** The most accounts examined per claimed address. An attacker would have to prove as many phone numbers to fill it. */
export const MOST_CLAIMS = 32;

/**
 * Returns the accounts that claim an address no account has proved, at most `MOST_CLAIMS`: accounts of this browser
 * first, then those confirmed by phone, then the oldest. The order keeps a later claim from displacing an earlier one.
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
             order by coalesce(account.registered_on = $2, false) or internal.is_known_device(account.id, $2) desc,
               account.confirmed_at is null, account.created_at, account.id
             limit ${MOST_CLAIMS}`,
    values: [email, deviceHash],
  });
  return rows;
}

/** The user as clients see it (docs/protocol/auth.md, User). Times are RFC 3339. An absent value has no key. */
export type UserObject = Readonly<Record<string, unknown>>;

export function toUserObject(user: UserRow): UserObject {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: shownEmail(user) ?? '',
    ...time('email_confirmed_at', user.email_confirmed_at),
    ...time('invited_at', user.invited_at),
    phone: user.phone ?? '',
    ...time('phone_confirmed_at', user.phone_confirmed_at),
    ...time('confirmation_sent_at', user.confirmation_sent_at),
    ...time('confirmed_at', user.confirmed_at),
    ...time('recovery_sent_at', user.recovery_sent_at),
    ...(user.new_email !== null && { new_email: user.new_email }),
    ...time('email_change_sent_at', user.email_change_sent_at),
    ...(user.new_phone !== null && { new_phone: user.new_phone }),
    ...time('phone_change_sent_at', user.phone_change_sent_at),
    ...time('reauthentication_sent_at', user.reauthentication_sent_at),
    ...time('last_sign_in_at', user.last_sign_in_at),
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    ...(user.factors.length > 0 && { factors: user.factors }),
    identities: user.identities.map(({ email, last_sign_in_at, ...identity }) => ({
      ...identity,
      ...(last_sign_in_at !== null && { last_sign_in_at }),
      ...(email !== null && { email }),
    })),
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    ...time('banned_until', user.banned_until),
    ...time('deleted_at', user.deleted_at),
    is_anonymous: user.is_anonymous,
  };
}

/** Returns the address to show to the account's owner: the proved one, else the claimed one. */
export function shownEmail({ email, claimed_email: claimed }: Pick<UserRow, 'email' | 'claimed_email'>): string | null {
  return email ?? claimed;
}

/** Whether the account is banned at `now`, in milliseconds since the epoch. */
export function isBanned({ banned_until }: Pick<UserRow, 'banned_until'>, now: number): boolean {
  // node-postgres returns PostgreSQL's 'infinity' as the number Infinity.
  return banned_until !== null && Number(banned_until) > now;
}

function time(name: string, value: Date | null): Record<string, string> {
  return value === null ? {} : { [name]: value.toISOString() };
}
