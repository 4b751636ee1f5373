import type { AuthError, PostgrestError, User } from '@supabase/supabase-js';
import type { AppClient } from '#app/client/app-client.ts';
import type { DataClient } from '#app/client/data-client.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { readUser } from '#app/client/session/read-user.ts';
import { isUnreachable } from '#app/resilience/retry-policy.ts';
import type { ContactMethod, OpenContactMethods } from '#domain/contact/contact-methods.ts';
import { type SecondFactor, secondFactorsOf } from './second-factor.ts';

/** The account as its owner sees it. */
export interface Profile {
  readonly id: string;
  /** Empty where the account has none. */
  readonly fullName: string;
  readonly email: string;
  /** Whether the owner has proved the address. */
  readonly emailProved: boolean;
  /** Whether the mail server of the address refuses emails for good. */
  readonly emailRefused: boolean;
  /** Number of conversations counted while the address is unconfirmed. Only the first few were emailed about. */
  readonly unprovedNotices: number;
  /** Another account confirmed the claimed address, and this account has had no new address since. */
  readonly addressLost: boolean;
  /** That address still names the account at sign-in, because it has no number of its own. */
  readonly isNamedByLostAddress: boolean;
  /** Becomes the address once its link is followed. */
  readonly pendingEmail: string | null;
  /** E.164. */
  readonly phone: string | null;
  readonly phoneVerified: boolean;
  /** E.164. Becomes the number once the code sent to it is entered. */
  readonly pendingPhone: string | null;
  readonly hasPassword: boolean;
  /** The password from the registration was discarded as unproved, so the account should get a new one. */
  readonly needsPassword: boolean;
  readonly secondFactors: readonly SecondFactor[];
  /** The file name of the account's picture in the bucket `avatars`; null where it has none. */
  readonly avatar: string | null;
  readonly taggedItems: number;
  readonly channels: OpenContactMethods;
  /** Whether finders read that the owner has seen their messages. */
  readonly seenShown: boolean;
}

/** What the settings need to know of an account beside its profile: how it signs in, and what it can prove itself with. */
export type Account = Pick<
  Profile,
  'id' | 'email' | 'phoneVerified' | 'hasPassword' | 'needsPassword' | 'secondFactors'
>;

/** Why the account gets no emails about messages: its address is unconfirmed, or it has none (null). */
export interface EmailTrouble {
  readonly email: string | null;
  /** See `Profile`. */
  readonly unprovedNotices: number;
}

/**
 * Returns why the account gets no emails about messages, or null if it gets them, or nobody does. Throws the service's error.
 */
export async function loadEmailTrouble(client: DataClient, known: User): Promise<EmailTrouble | null> {
  // A confirmed address stays confirmed. An unconfirmed one may have been confirmed on another device.
  if (known.email_confirmed_at !== undefined || !readPublicConfig().hasMail) return null;
  // Both at once: the screen is shown when the last response has arrived.
  const [user, unprovedNotices] = await Promise.all([readUser(), countUnprovedNotices(client)]);
  if (user.email_confirmed_at !== undefined) return null;
  const email = user.email === undefined || user.email === '' ? null : user.email;
  return { email, unprovedNotices: email === null ? 0 : unprovedNotices };
}

async function countUnprovedNotices(client: DataClient): Promise<number> {
  const { data, error } = await client.rpc('count_unproved_notices', undefined, { get: true });
  if (error) throw error;
  return typeof data === 'number' ? data : 0;
}

interface ProfileRow {
  readonly full_name: string | null;
  readonly email_refused_at: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly avatar: string | null;
  readonly whatsapp_enabled: boolean;
  readonly call_enabled: boolean;
  readonly email_enabled: boolean;
  readonly message_enabled: boolean;
  readonly seen_shown: boolean;
}

const COLUMNS =
  'full_name, email, phone, avatar, whatsapp_enabled, call_enabled, email_enabled, message_enabled, seen_shown, email_refused_at';

/** Reads how the account signs in. Throws the data service's error. */
export async function loadAccount(client: DataClient, user: User): Promise<Account> {
  return {
    id: user.id,
    email: user.email ?? '',
    phoneVerified: user.phone_confirmed_at !== undefined,
    hasPassword: await loadHasPassword(client),
    needsPassword: user.app_metadata.password_needed === true,
    secondFactors: secondFactorsOf(user),
  };
}

/** Reads the whole profile. Throws the data service's error. */
export async function loadProfile(client: DataClient, user: User): Promise<Profile> {
  const emailProved = user.email_confirmed_at !== undefined;
  const [account, row, taggedItems, unprovedNotices] = await Promise.all([
    loadAccount(client, user),
    loadRow(client, user.id),
    countItems(client, user.id),
    emailProved ? 0 : countUnprovedNotices(client),
  ]);
  const named: unknown = user.user_metadata.full_name;
  return {
    ...account,
    fullName: row?.full_name ?? (typeof named === 'string' ? named : ''),
    emailProved,
    emailRefused: row !== null && row.email_refused_at !== null,
    unprovedNotices,
    addressLost: user.app_metadata.address_lost === true,
    isNamedByLostAddress: user.app_metadata.address_lost === true && (user.phone ?? '') === '',
    pendingEmail: user.new_email ?? null,
    phone: row?.phone ?? toE164(user.phone),
    pendingPhone: toE164(user.new_phone),
    avatar: row?.avatar ?? null,
    taggedItems,
    ...switchesOf(row),
  };
}

/** The switches of a profile. */
export type ProfileSwitches = Pick<Profile, 'id' | 'channels' | 'seenShown'>;

/** Reads the switches of a profile. Throws the data service's error. */
export async function loadSwitches(client: DataClient, userId: string): Promise<ProfileSwitches> {
  return { id: userId, ...switchesOf(await loadRow(client, userId)) };
}

/** An account whose profile is being repaired gets the defaults. */
function switchesOf(row: ProfileRow | null): Omit<ProfileSwitches, 'id'> {
  return {
    channels: {
      whatsapp: row?.whatsapp_enabled ?? true,
      call: row?.call_enabled ?? true,
      email: row?.email_enabled ?? true,
      message: row?.message_enabled ?? true,
    },
    seenShown: row?.seen_shown ?? true,
  };
}

async function loadRow(client: DataClient, userId: string): Promise<ProfileRow | null> {
  const { data, error } = await client
    .from('profiles')
    .select(COLUMNS)
    .eq('id', userId)
    .maybeSingle()
    .overrideTypes<ProfileRow, { merge: false }>();
  if (error) throw error;
  return data;
}

async function countItems(client: DataClient, userId: string): Promise<number> {
  const { count, error } = await client.from('items').select('*', { count: 'exact', head: true }).eq('user_id', userId);
  if (error) throw error;
  return count ?? 0;
}

/**
 * The user object does not contain this: an account from an invitation or a provider has an address but no password.
 */
async function loadHasPassword(client: DataClient): Promise<boolean> {
  const { data, error } = await client.rpc('has_password', undefined, { get: true });
  if (error) throw error;
  return data === true;
}

/** The auth service stores a number without its plus. */
function toE164(digits: string | undefined): string | null {
  return digits === undefined || digits === '' ? null : `+${digits}`;
}

/** Changes of a profile; omitted fields stay. */
export interface ProfileChange {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * The result of saving. `unreachable`: nothing or only a part was saved, and a retry is safe. `tooMany`: a later retry
 * is accepted.
 */
export type SaveOutcome = 'saved' | 'unreachable' | 'tooMany' | AuthError | PostgrestError;

/** Saves changes. A new address is only requested: it takes effect once its link is followed. */
export async function saveProfile(client: AppClient, userId: string, change: ProfileChange): Promise<SaveOutcome> {
  const { fullName, email } = change;
  if (fullName !== undefined) {
    const { error, status } = await client.from('profiles').update({ full_name: fullName }).eq('id', userId);
    if (error) return postponedBy(status) ?? error;
  }
  const { error } = await client.auth.updateUser(
    { ...(email !== undefined && { email }), ...(fullName !== undefined && { data: { full_name: fullName } }) },
    { emailRedirectTo: `${location.origin}/auth/callback` },
  );
  if (error) return postponedBy(error.status ?? 0) ?? error;
  return 'saved';
}

function postponedBy(status: number): 'unreachable' | 'tooMany' | null {
  if (status === 429) return 'tooMany';
  return isUnreachable(status) ? 'unreachable' : null;
}

/** A switch of the profile: a contact method of the account, or whether finders read that a message was seen. */
export type ProfileSwitch = ContactMethod | 'seen';

/** Turns a switch on or off. After `unreachable` it is safe to retry. */
export async function setProfileSwitch(
  client: DataClient,
  userId: string,
  name: ProfileSwitch,
  isOn: boolean,
): Promise<'saved' | 'refused' | 'unreachable'> {
  const column = name === 'seen' ? 'seen_shown' : `${name}_enabled`;
  const { error, status } = await client
    .from('profiles')
    .update({ [column]: isOn })
    .eq('id', userId);
  if (error === null) return 'saved';
  return isUnreachable(status) ? 'unreachable' : 'refused';
}

/** Sets the number of an account without a proved one. Throws the data service's error. */
export async function setUnverifiedPhone(client: DataClient, userId: string, phone: string): Promise<void> {
  const { error } = await client.from('profiles').update({ phone }).eq('id', userId);
  if (error) throw error;
}
