import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';
import type { Transaction } from '#server/postgres/statement.ts';

/** The place of a token in its session: the first has counter 0, and each rotation increments it. */
export interface RefreshTokenPlace {
  readonly sessionId: string;
  readonly counter: number;
}

type ReadRefreshToken =
  | { readonly outcome: 'ours'; readonly place: RefreshTokenPlace }
  /** Well-formed, but not issued by this server. */
  | { readonly outcome: 'foreign' }
  | { readonly outcome: 'malformed' };

/**
 * Creates and reads refresh tokens: version, session, counter and a 256-bit signature, as base64url. The database
 * stores only hashes.
 *
 * The same place always yields the same token, so a client that missed a response can be sent its token again.
 */
export interface RefreshTokens {
  make(place: RefreshTokenPlace): string;
  read(token: string): ReadRefreshToken;
}

const VERSION = 1;
const SESSION_END = 17;
const SIGNED_END = 21;
const LENGTH = 53;

export function createRefreshTokens(secret: string): RefreshTokens {
  const key = deriveKey(secret, 'refresh tokens');
  const sign = (signed: Buffer) => createHmac('sha256', key).update(signed).digest();

  return {
    make({ sessionId, counter }) {
      const signed = Buffer.alloc(SIGNED_END);
      signed.writeUInt8(VERSION, 0);
      signed.write(sessionId.replaceAll('-', ''), 1, 'hex');
      signed.writeUInt32BE(counter, SESSION_END);
      return Buffer.concat([signed, sign(signed)]).toString('base64url');
    },
    read(token) {
      // The opaque format of older servers: well-formed, but never issued here.
      if (/^[a-z0-9]{12}$/.test(token)) return { outcome: 'foreign' };
      const bytes = Buffer.from(token, 'base64url');
      // The decoder ignores invalid characters, so only the canonical encoding is accepted.
      if (bytes.length !== LENGTH || bytes.toString('base64url') !== token || bytes.readUInt8(0) !== VERSION) {
        return { outcome: 'malformed' };
      }
      const signed = bytes.subarray(0, SIGNED_END);
      if (!timingSafeEqual(bytes.subarray(SIGNED_END), sign(signed))) return { outcome: 'foreign' };
      const hex = bytes.toString('hex', 1, SESSION_END);
      const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      return { outcome: 'ours', place: { sessionId, counter: bytes.readUInt32BE(SESSION_END) } };
    },
  };
}

/** Returns the stored hash of a token. The token has a 256-bit signature, so the hash needs no key and no salt. */
export function hashRefreshToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The state of a refresh token: when it was replaced, and the counter of the current one. */
export interface TokenStanding {
  readonly revoked_at: Date | null;
  readonly active_counter: number | null;
}

/**
 * Returns undefined for a token that the session never issued. Long-replaced tokens are not stored, so a token that we
 * signed and that is older than the current one counts as replaced. Call it only while the session is locked.
 */
export async function readTokenStanding(
  transaction: Transaction,
  token: { readonly sessionId: string; readonly counter: number; readonly tokenHash: Buffer },
): Promise<TokenStanding | undefined> {
  const { rows } = await transaction.query<TokenStanding>({
    name: 'auth_token_standing',
    text: `select case when token.token_hash is null then 'epoch' else token.revoked_at end as revoked_at,
               active.counter as active_counter
             from (values ($1::uuid, $2::integer, $3::bytea)) as asked (session_id, counter, token_hash)
             left join auth.refresh_tokens as token on token.token_hash = asked.token_hash
             left join auth.refresh_tokens as active
               on active.session_id = asked.session_id and active.revoked_at is null
             where token.token_hash is not null or asked.counter < active.counter`,
    values: [token.sessionId, token.counter, token.tokenHash],
  });
  return rows[0];
}

/**
 * Replaces the session's current refresh token. Only its predecessor stays stored, for a client that missed the response:
 * a session stores two tokens, however often it is refreshed.
 */
export async function replaceToken(
  transaction: Transaction,
  next: {
    readonly sessionId: string;
    readonly counter: number;
    readonly tokenHash: Buffer;
    readonly now: Date;
    /** When the session ends if it is not used again. */
    readonly notAfter: Date;
  },
): Promise<void> {
  const { sessionId, counter, tokenHash, now, notAfter } = next;
  // Two statements: the unique index that allows one active token per session is checked row by row.
  await transaction.query({
    name: 'auth_revoke_token',
    text: `with session as (
               update auth.sessions set refreshed_at = $2, not_after = $3 where id = $1
             ), older as (
               delete from auth.refresh_tokens where session_id = $1 and revoked_at is not null
             )
             update auth.refresh_tokens set revoked_at = $2 where session_id = $1 and revoked_at is null`,
    values: [sessionId, now, notAfter],
  });
  await transaction.query({
    name: 'auth_insert_token',
    text: `insert into auth.refresh_tokens (token_hash, session_id, counter, created_at) values ($1, $2, $3, $4)`,
    values: [tokenHash, sessionId, counter, now],
  });
}

/** Returns the counter of the session's current refresh token. Call it only while the session is locked. */
export async function readLivingCounter(transaction: Transaction, sessionId: string): Promise<number | undefined> {
  const { rows } = await transaction.query<{ counter: number }>({
    name: 'auth_living_counter',
    text: 'select counter from auth.refresh_tokens where session_id = $1 and revoked_at is null',
    values: [sessionId],
  });
  return rows[0]?.counter;
}
