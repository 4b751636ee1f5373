import type { AuthError, PostgrestError, User } from '@supabase/supabase-js';
import type { Channel, OpenChannels } from '#domain/found-item.ts';
import { type SecondFactor, secondFactorsOf } from './account/second-factor.ts';
import type { AppClient } from './app-client.ts';
import { isOutOfReach } from './out-of-reach.ts';

/** The account as its owner sees it. */
export interface Profile {
  readonly id: string;
  /** Empty where the account has none. */
  readonly fullName: string;
  readonly email: string;
  /** Whether a link or a code has proved that the address is the owner's. */
  readonly emailProved: boolean;
  /** Another account proved the address that this one claimed, and it has got no other since. */
  readonly addressLost: boolean;
  /** Becomes the address when its link is followed. */
  readonly pendingEmail: string | null;
  /** E.164. */
  readonly phone: string | null;
  readonly phoneVerified: boolean;
  /** E.164. Becomes the number when the code that was sent to it is entered. */
  readonly pendingPhone: string | null;
  readonly hasPassword: boolean;
  /** The one that was typed at registration proved nothing and was forgotten: the account should get a new one. */
  readonly needsPassword: boolean;
  readonly secondFactors: readonly SecondFactor[];
  /** The name of the account's picture in the bucket `avatars`; null where it has none. */
  readonly avatar: string | null;
  readonly taggedItems: number;
  readonly channels: OpenChannels;
}

/** The address of the account that nobody has proved yet, or null. Throws the service's error. */
export async function loadUnprovedEmail(client: AppClient, known: User): Promise<string | null> {
  // What is proved stays so; the rest may have been proved elsewhere meanwhile.
  if (known.email === undefined || known.email === '' || known.email_confirmed_at !== undefined) return null;
  const { data, error } = await client.auth.getUser();
  if (error) throw error;
  return data.user.email_confirmed_at === undefined ? (data.user.email ?? null) : null;
}

interface ProfileRow {
  readonly full_name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly avatar: string | null;
  readonly whatsapp_enabled: boolean;
  readonly call_enabled: boolean;
  readonly email_enabled: boolean;
  readonly message_enabled: boolean;
}

const COLUMNS = 'full_name, email, phone, avatar, whatsapp_enabled, call_enabled, email_enabled, message_enabled';

/** Asks the service anew, so that a link followed elsewhere shows. Throws the service's error. */
export async function loadUser(client: AppClient): Promise<User> {
  const { data, error } = await client.auth.getUser();
  if (error) throw error;
  return data.user;
}

/** What there is beside the account itself. Throws the data service's error. */
export async function loadProfile(client: AppClient, user: User): Promise<Profile> {
  const [row, taggedItems, hasPassword] = await Promise.all([
    loadRow(client, user.id),
    countItems(client, user.id),
    loadHasPassword(client),
  ]);
  const named: unknown = user.user_metadata.full_name;
  return {
    id: user.id,
    fullName: row?.full_name ?? (typeof named === 'string' ? named : ''),
    email: user.email ?? '',
    emailProved: user.email_confirmed_at !== undefined,
    addressLost: user.app_metadata.address_lost === true,
    pendingEmail: user.new_email ?? null,
    phone: row?.phone ?? toE164(user.phone),
    phoneVerified: user.phone_confirmed_at !== undefined,
    pendingPhone: toE164(user.new_phone),
    hasPassword,
    needsPassword: user.app_metadata.password_needed === true,
    secondFactors: secondFactorsOf(user),
    avatar: row?.avatar ?? null,
    taggedItems,
    // An account whose profile is being repaired has the settings that every new one has.
    channels: {
      whatsapp: row?.whatsapp_enabled ?? true,
      call: row?.call_enabled ?? true,
      email: row?.email_enabled ?? true,
      message: row?.message_enabled ?? true,
    },
  };
}

async function loadRow(client: AppClient, userId: string): Promise<ProfileRow | null> {
  const { data, error } = await client
    .from('profiles')
    .select(COLUMNS)
    .eq('id', userId)
    .maybeSingle()
    .overrideTypes<ProfileRow, { merge: false }>();
  if (error) throw error;
  return data;
}

async function countItems(client: AppClient, userId: string): Promise<number> {
  const { count, error } = await client.from('items').select('*', { count: 'exact', head: true }).eq('user_id', userId);
  if (error) throw error;
  return count ?? 0;
}

/** The account itself does not tell: one that an invitation or a provider began has an address, and no password. */
async function loadHasPassword(client: AppClient): Promise<boolean> {
  const { data, error } = await client.rpc('has_password', undefined, { get: true });
  if (error) throw error;
  return data === true;
}

/** The auth service keeps a number without its plus. */
function toE164(digits: string | undefined): string | null {
  return digits === undefined || digits === '' ? null : `+${digits}`;
}

/** What somebody has changed of a profile; what is not in it stays. */
export interface ProfileChange {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * What came of saving. `outOfReach`: nobody has heard of it, or not of all of it; sending it again does no harm.
 * `tooMany`: it is let in later.
 */
export type SaveOutcome = 'saved' | 'outOfReach' | 'tooMany' | AuthError | PostgrestError;

/** Saves a change. A new address is only asked for: it takes effect when its link is followed. */
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

function postponedBy(status: number): 'outOfReach' | 'tooMany' | null {
  if (status === 429) return 'tooMany';
  return isOutOfReach(status) ? 'outOfReach' : null;
}

/** Opens or closes one way for the whole account. Throws the data service's error. */
export async function setAccountChannel(
  client: AppClient,
  userId: string,
  channel: Channel,
  open: boolean,
): Promise<void> {
  const { error } = await client
    .from('profiles')
    .update({ [`${channel}_enabled`]: open })
    .eq('id', userId);
  if (error) throw error;
}

/** Sets the number of an account whose phone nobody has proved. Throws the data service's error. */
export async function setUnverifiedPhone(client: AppClient, userId: string, phone: string): Promise<void> {
  const { error } = await client.from('profiles').update({ phone }).eq('id', userId);
  if (error) throw error;
}
