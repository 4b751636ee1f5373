import type { Metadata } from './sign-up-data.ts';

/** A row of auth.users, as the queries of this service read it. */
export interface UserRow {
  readonly id: string;
  readonly aud: string;
  readonly role: string;
  /** Proved. */
  readonly email: string | null;
  /** What the account says its address is, where nobody has proved that. */
  readonly claimed_email: string | null;
  readonly encrypted_password: string | null;
  readonly email_confirmed_at: Date | null;
  readonly phone: string | null;
  readonly phone_confirmed_at: Date | null;
  readonly confirmed_at: Date | null;
  /** Before the account was confirmed; the newest stands. */
  readonly registrations: number;
  /** What the database keeps of the device that registered; empty where an operator did. */
  readonly registered_on: Buffer | null;
  /** Where the code of a pending registration goes, in E.164; null where it goes to the address. */
  readonly registration_phone: string | null;
  readonly confirmation_sent_at: Date | null;
  readonly invited_at: Date | null;
  readonly recovery_sent_at: Date | null;
  readonly new_email: string | null;
  readonly email_change_sent_at: Date | null;
  /** Which proofs a changed address still waits for. */
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
  /** As `IDENTITIES` builds it. */
  readonly identities: readonly Identity[];
  /** As `FACTORS` builds it, ready for the wire. */
  readonly factors: readonly Factor[];
}

interface Factor {
  readonly id: string;
  readonly factor_type: 'totp' | 'phone';
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

/** The user as clients see it (wire contract, section 1.2): RFC 3339 times, and no key for what is not there. */
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

/** The address that an account shows to its owner: the proved one, or else the one that it claims. */
export function shownEmail({ email, claimed_email: claimed }: Pick<UserRow, 'email' | 'claimed_email'>): string | null {
  return email ?? claimed;
}

/** Whether the account may do nothing at the moment `now`, in milliseconds since the epoch. */
export function isBanned({ banned_until }: Pick<UserRow, 'banned_until'>, now: number): boolean {
  // PostgreSQL's 'infinity' comes as the number Infinity.
  return banned_until !== null && Number(banned_until) > now;
}

function time(name: string, value: Date | null): Record<string, string> {
  return value === null ? {} : { [name]: value.toISOString() };
}
