import type { Transaction } from '#server/postgres/statement.ts';
import type { UserRow } from '../accounts/user.ts';
import { userSigningIn } from '../accounts/user.ts';

/** One way in which the session's user was authenticated (docs/protocol/auth.md, Access token). */
export type AuthenticationMethod = {
  readonly method:
    | 'password'
    | 'otp'
    | 'magiclink'
    | 'recovery'
    | 'email/signup'
    | 'email_change'
    | 'invite'
    | 'oauth'
    | 'anonymous'
    | 'passkey'
    | 'totp'
    | 'mfa/phone'
    | 'mfa/webauthn'
    | 'mfa/recovery_code';
  /** Unix seconds. */
  readonly timestamp: number;
};

export interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly aal: 'aal1' | 'aal2';
  readonly amr: readonly AuthenticationMethod[];
  readonly created_at: Date;
  readonly not_after: Date | null;
}

/** How often a known device's last use is updated. */
const SEEN_AGAIN_AFTER = "interval '1 day'";

/**
 * Inserts a session with its first refresh token, remembers its device and sets the account's last sign-in. The device
 * becomes known once it has shown the account's second factor, if there is one (`internal.is_known_device`). The row
 * records whether the device is new to an account that has others.
 *
 * One statement, so that it needs no transaction. It counts as a proof, which resets the count of consecutive wrong
 * codes. No session is inserted, and undefined returned, where the account is gone or its password is not the one that
 * was checked.
 */
export async function insertSession(
  from: Transaction,
  session: Pick<SessionRow, 'id' | 'user_id' | 'amr'> & {
    readonly tokenHash: Buffer;
    /** Human-readable name of the device. */
    readonly device: string;
    readonly deviceHash: Buffer;
    readonly now: Date;
    /** The hash of the password that was checked; null for other methods. */
    readonly provedHash: string | null;
    /** When the holder proved their identity. */
    readonly provedAt: Date;
    /** When the session ends if it is not used again. */
    readonly notAfter: Date;
    /** Whether the account knows the device from now on. */
    readonly remembersDevice: boolean;
    /** The language that the request asks for, which an account has that has none; null for none. */
    readonly language: string | null;
  },
): Promise<UserRow | undefined> {
  const { id, user_id, amr, tokenHash, device, deviceHash, now, provedHash, provedAt, notAfter } = session;
  const { rows } = await from.query<UserRow>({
    name: 'auth_insert_session',
    text: `with account as (
               update auth.users set last_sign_in_at = $5
                 where id = $2 and deleted_at is null and ($8::text is null or encrypted_password = $8)
                 returning *
             ), others as (
               select exists (select from auth.known_devices where user_id = $2) as any,
                 exists (select from auth.known_devices where user_id = $2 and device_hash = $7) as this
             ), remembered as (
               insert into auth.known_devices as known (user_id, device_hash, created_at, seen_at)
                 select account.id, $7, $5, $5 from account where $11
                 on conflict (user_id, device_hash) do update set seen_at = excluded.seen_at
                   where known.seen_at < excluded.seen_at - ${SEEN_AGAIN_AFTER}
             ), session as (
               insert into auth.sessions (id, user_id, amr, device, device_is_new, created_at, proved_at, device_hash,
                   not_after)
                 select $1, account.id, $3, $6, others.any and not others.this, $5, $9, $7, $10
                   from account, others
             ), token as (
               insert into auth.refresh_tokens (token_hash, session_id, counter, created_at)
                 select $4, $1, 0, $5 from account
             ), identity as (
               update auth.identities set last_sign_in_at = $5 from account
                 where user_id = account.id and provider = 'email'
             ), failures as (
               delete from auth.code_failures using account where user_id = account.id
             ), spoken as (
               update public.profiles as profile set language = $12 from account
                 where profile.id = account.id and profile.language is null and $12::text is not null
             )
             select ${userSigningIn('$5::timestamptz')} from account`,
    values: [
      id,
      user_id,
      JSON.stringify(amr),
      tokenHash,
      now,
      device,
      deviceHash,
      provedHash,
      provedAt,
      notAfter,
      session.remembersDevice,
      session.language,
    ],
  });
  return rows[0];
}

/** What a session has proved: by which methods, when last, and whether that is recent enough to change the account. */
export interface SessionProof {
  readonly provedAt: Date;
  readonly isRecent: boolean;
}

export async function readSessionProof(from: Transaction, id: string, at: Date): Promise<SessionProof | undefined> {
  const { rows } = await from.query<SessionProof>({
    name: 'auth_session_proof',
    text: `select proved_at as "provedAt", internal.is_recent_proof(proved_at, $2) as "isRecent"
             from auth.sessions where id = $1`,
    values: [id, at],
  });
  return rows[0];
}

interface SessionOwner {
  readonly user_id: string;
  readonly proved_at: Date;
}

/** Returns the account of a valid session, and when its holder last proved their identity. */
export async function findSessionOwner(
  from: Transaction,
  sessionId: string,
  at: Date,
): Promise<SessionOwner | undefined> {
  const { rows } = await from.query<SessionOwner>({
    name: 'auth_session_owner',
    text: 'select user_id, proved_at from auth.sessions where id = $1 and (not_after is null or not_after > $2)',
    values: [sessionId, at],
  });
  return rows[0];
}

/** Returns the session, locked until the transaction ends. */
export async function lockSession(transaction: Transaction, id: string): Promise<SessionRow | undefined> {
  const { rows } = await transaction.query<SessionRow>({
    name: 'auth_lock_session',
    text: 'select id, user_id, aal, amr, created_at, not_after from auth.sessions where id = $1 for update',
    values: [id],
  });
  return rows[0];
}

/**
 * Records that the session has shown a second factor. `provedAt` is null where that proves nothing about its holder.
 */
export async function setAssurance(
  transaction: Transaction,
  raised: {
    readonly sessionId: string;
    readonly factorId: string;
    readonly amr: readonly AuthenticationMethod[];
    readonly provedAt: Date | null;
  },
): Promise<void> {
  await transaction.query({
    name: 'auth_set_assurance',
    text: `update auth.sessions
             set aal = 'aal2', factor_id = $2, amr = $3, proved_at = coalesce($4, proved_at) where id = $1`,
    values: [raised.sessionId, raised.factorId, JSON.stringify(raised.amr), raised.provedAt],
  });
}

/** Records that the holder of the session has just proved their identity. */
export async function noteProof(from: Transaction, id: string, at: Date): Promise<void> {
  await from.query({
    name: 'auth_note_proof',
    text: 'update auth.sessions set proved_at = $2 where id = $1',
    values: [id, at],
  });
}

/** Ends the account's sessions that have shown no second factor, except `kept`. */
export async function deleteLowSessions(from: Transaction, userId: string, kept: string | null): Promise<void> {
  await from.query({
    name: 'auth_delete_low_sessions',
    text: "delete from auth.sessions where user_id = $1 and aal = 'aal1' and ($2::uuid is null or id <> $2)",
    values: [userId, kept],
  });
}

/** Notifies the owner where the session has others of its account to end. */
export async function noteSignOutElsewhere(from: Transaction, userId: string, sessionId: string): Promise<void> {
  await from.query({
    name: 'auth_note_sign_out_elsewhere',
    text: 'select internal.note_sign_out_elsewhere($1, $2)',
    values: [userId, sessionId],
  });
}

/** Ends one session; its refresh tokens are deleted by cascade. */
export async function deleteSession(from: Transaction, id: string): Promise<void> {
  await from.query({ name: 'auth_delete_session', text: 'delete from auth.sessions where id = $1', values: [id] });
}

/** Ends all sessions of an account, except `kept`. */
export async function deleteSessions(from: Transaction, userId: string, kept: string | null): Promise<void> {
  await from.query({
    name: 'auth_delete_sessions',
    text: 'delete from auth.sessions where user_id = $1 and ($2::uuid is null or id <> $2)',
    values: [userId, kept],
  });
}
