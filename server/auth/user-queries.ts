import type { Transaction } from '#server/postgres/statement.ts';
import type { Metadata } from './sign-up-data.ts';
import type { UserRow } from './user-object.ts';

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
  account.registrations, account.registered_on, account.registration_phone, account.confirmation_sent_at, account.invited_at, account.recovery_sent_at, account.new_email,
  account.email_change_sent_at, account.email_change_awaits,
  account.new_phone, account.phone_change_sent_at, account.reauthentication_sent_at,
  account.last_sign_in_at, account.raw_app_meta_data, account.raw_user_meta_data, account.is_anonymous,
  account.banned_until, account.deleted_at, account.created_at, account.updated_at,
  ${identitiesOfUser} as identities, ${FACTORS} as factors`;

/** The columns of a UserRow, of `auth.users as account`. */
export const USER = columnsOfUser(identities('identity.last_sign_in_at'));

/** The same in the statement that notes a sign-in at `at`, a parameter: it sees the identities as they were before. */
export const userSigningIn = (at: string) =>
  columnsOfUser(identities(`case identity.provider when 'email' then ${at} else identity.last_sign_in_at end`));

/** The account that has proved an address, or undefined. Deleted accounts are not found. */
export async function findUserByEmail(from: Transaction, email: string): Promise<UserRow | undefined> {
  const { rows } = await from.query<UserRow>({
    name: 'auth_user_by_email',
    text: `select ${USER} from auth.users as account where account.email = $1 and account.deleted_at is null`,
    values: [email],
  });
  return rows[0];
}

/** The account of a number that its owner has proved or an operator set, in E.164 with the plus, or undefined. */
export async function findUserByPhone(from: Transaction, phone: string): Promise<UserRow | undefined> {
  const { rows } = await from.query<UserRow>({
    name: 'auth_user_by_phone',
    text: `select ${USER} from auth.users as account where account.phone = $1 and account.deleted_at is null`,
    values: [phone.replace('+', '')],
  });
  return rows[0];
}

/** The account whose change of an address, the one that it has or the one that it is to have, was begun last. */
export async function findUserOfChange(
  from: Transaction,
  { email = null, phone = null }: { readonly email?: string | null; readonly phone?: string | null },
): Promise<UserRow | undefined> {
  const { rows } = await from.query<UserRow>({
    name: 'auth_user_of_change',
    text: `select ${USER} from auth.users as account
             where account.deleted_at is null and (
               (account.new_email is not null and $1::text in (account.email, account.new_email))
               or (account.new_phone is not null and $2::text in (account.phone, account.new_phone))
             )
             order by greatest(account.email_change_sent_at, account.phone_change_sent_at) desc nulls last limit 1`,
    values: [email, phone?.replace('+', '') ?? null],
  });
  return rows[0];
}

/** The same, and the account stays as it is until the transaction ends. */
export async function lockUserByEmail(transaction: Transaction, email: string): Promise<UserRow | undefined> {
  const { rows } = await transaction.query<UserRow>({
    name: 'auth_lock_user_by_email',
    text: `select ${USER} from auth.users as account
             where account.email = $1 and account.deleted_at is null for update of account`,
    values: [email],
  });
  return rows[0];
}

export async function findUser(from: Transaction, id: string): Promise<UserRow | undefined> {
  const { rows } = await from.query<UserRow>({
    name: 'auth_user',
    text: `select ${USER} from auth.users as account where account.id = $1 and account.deleted_at is null`,
    values: [id],
  });
  return rows[0];
}

export async function lockUser(transaction: Transaction, id: string): Promise<UserRow | undefined> {
  const { rows } = await transaction.query<UserRow>({
    name: 'auth_lock_user',
    text: `select ${USER} from auth.users as account
             where account.id = $1 and account.deleted_at is null for update of account`,
    values: [id],
  });
  return rows[0];
}

export interface UserOfSession extends UserRow {
  readonly session_lives: boolean;
  readonly session_aal: 'aal1' | 'aal2' | null;
  /** Whether the account has a second factor that was verified once. */
  readonly has_factor: boolean;
}

/** The account with whether the session is one of its own and still good at `now`. */
export async function findUserOfSession(
  from: Transaction,
  userId: string,
  sessionId: string,
  now: Date,
): Promise<UserOfSession | undefined> {
  const { rows } = await from.query<UserOfSession>({
    name: 'auth_user_of_session',
    text: `select ${USER}, session.id is not null as session_lives, session.aal as session_aal, exists (
               select from auth.mfa_factors as factor where factor.user_id = account.id and factor.status = 'verified'
             ) as has_factor
             from auth.users as account
             left join auth.sessions as session on session.id = $2 and session.user_id = account.id
               and (session.not_after is null or session.not_after > $3)
             where account.id = $1 and account.deleted_at is null`,
    values: [userId, sessionId, now],
  });
  return rows[0];
}

export interface AccountDetails {
  readonly id: string;
  readonly email: string;
  /** Null for an account that nobody can sign in to with a password. */
  readonly passwordHash: string | null;
  readonly metadata: Metadata;
}

/** An account as its registration describes it. */
export interface RegisteredDetails extends AccountDetails {
  /** Where its code goes, in E.164; null where it goes to the address. */
  readonly phone: string | null;
  /** What the database keeps of the device that registers; empty where an operator does. */
  readonly registeredOn: Buffer;
}

/** Makes an account that nobody can be told by. */
export async function insertAnonymousUser(transaction: Transaction, id: string, metadata: Metadata): Promise<void> {
  await transaction.query({
    name: 'auth_insert_anonymous_user',
    text: 'insert into auth.users (id, is_anonymous, raw_user_meta_data) values ($1, true, $2)',
    values: [id, metadata],
  });
}

/** Makes an unconfirmed account that claims an address. The database adds the profile. */
export async function insertUser(transaction: Transaction, details: RegisteredDetails): Promise<void> {
  const { id, email, passwordHash, metadata, phone, registeredOn } = details;
  await transaction.query({
    name: 'auth_insert_user',
    text: `insert into auth.users (id, claimed_email, encrypted_password, raw_app_meta_data, raw_user_meta_data,
               registration_phone, registered_on)
             values ($1, $2, $3, '{"provider": "email", "providers": ["email"]}', $4, $5, $6)`,
    values: [id, email, passwordHash, metadata, phone, registeredOn],
  });
}

/**
 * Makes an account that nobody confirmed what the newest registration says, its profile included. Returns how many
 * registrations it has had by now. One with the password of the one before counts as the same, which its hash shows,
 * and so does one without a password that says the same.
 */
export async function replaceUnconfirmedUser(transaction: Transaction, details: RegisteredDetails): Promise<number> {
  const { id, passwordHash, metadata, registeredOn } = details;
  const { rows } = await transaction.query<{ registrations: number }>({
    name: 'auth_replace_unconfirmed_user',
    text: `update auth.users set
               encrypted_password = $2,
               raw_user_meta_data = $3,
               registered_on = $4,
               registrations = registrations
                 + (encrypted_password is distinct from $2
                    or ($2 is null and raw_user_meta_data is distinct from $3))::integer
             where id = $1
             returning registrations`,
    values: [id, passwordHash, metadata, registeredOn],
  });
  await transaction.query({
    name: 'auth_replace_profile_of_unconfirmed_user',
    text: `update public.profiles set
               full_name = left(nullif(btrim($2::jsonb ->> 'full_name'), ''), 200),
               phone = left(nullif(btrim($2::jsonb ->> 'phone'), ''), 32)
             where id = $1`,
    values: [id, metadata],
  });
  const [replaced] = rows;
  if (replaced === undefined) throw new Error('The account went away while it was registered.');
  return replaced.registrations;
}

/** The identity of a sign-up with e-mail; its id is the account's own. */
export async function putEmailIdentity(transaction: Transaction, userId: string, data: Metadata): Promise<void> {
  await transaction.query({
    name: 'auth_put_email_identity',
    text: `insert into auth.identities (user_id, provider, provider_id, identity_data)
             values ($1::uuid, 'email', $1::uuid::text, $2)
             on conflict (provider, provider_id) do update set identity_data = excluded.identity_data, updated_at = now()`,
    values: [userId, data],
  });
}

/** Other metadata, and another password where its hash is given. */
export async function updateUser(
  transaction: Transaction,
  { id, passwordHash, metadata }: Pick<AccountDetails, 'id' | 'passwordHash' | 'metadata'>,
): Promise<void> {
  await transaction.query({
    name: 'auth_update_user',
    text: `update auth.users
             set encrypted_password = coalesce($2, encrypted_password), raw_user_meta_data = $3,
               raw_app_meta_data = case
                 when $2 is null then raw_app_meta_data
                 else raw_app_meta_data - 'password_needed'
               end
             where id = $1`,
    values: [id, passwordHash, metadata],
  });
}
