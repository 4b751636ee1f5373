import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { describeDevice } from '#domain/account/describe-device.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { askedOwnerTag } from '#server/languages/owner-language.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { AUDIENCE } from '#server/tokens/token-keys.ts';
import { shownEmail, toUserObject, type UserObject, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { markDevice } from './device-cookies.ts';
import { endOfSession } from './end-of-session.ts';
import { hashRefreshToken } from './refresh-token.ts';
import { type AuthenticationMethod, insertSession, type SessionRow } from './session-queries.ts';

/** A session as clients see it (docs/protocol/auth.md, Session). */
export interface SessionObject {
  readonly access_token: string;
  readonly token_type: 'bearer';
  /** Seconds. */
  readonly expires_in: number;
  /** Unix seconds. */
  readonly expires_at: number;
  readonly refresh_token: string;
  readonly user: UserObject;
}

export interface OpenedSession {
  readonly session: Pick<SessionRow, 'id' | 'aal' | 'amr'>;
  readonly refreshToken: string;
}

export interface SignIn {
  readonly userId: string;
  readonly method: AuthenticationMethod['method'];
  /** The request that signs in. Its device is remembered by a cookie in the response. */
  readonly c: Context<AppEnv>;
  /** The hash of the password that was checked, which must still be the account's. */
  readonly provedHash?: string;
  /** When the holder proved their identity, where that is not now: changing an account does not renew the proof. */
  readonly provedAt?: Date | null;
  /**
   * Whether the account knows the device from now on; true by default. False where a link opens the session that any site
   * can lead a browser to.
   */
  readonly remembersDevice?: boolean;
}

/**
 * Begins a session, in the transaction that authenticated the account. Returns undefined where the account is gone or
 * its password changed in the meantime.
 */
export async function openSession(
  service: Pick<AuthService, 'refreshTokens' | 'config' | 'now'>,
  from: Transaction,
  { userId, method, c, provedHash, provedAt, remembersDevice = true }: SignIn,
): Promise<{ readonly opened: OpenedSession; readonly user: UserRow } | undefined> {
  const { refreshTokens, now } = service;
  const at = now();
  const id = randomUUID();
  const amr = [{ method, timestamp: Math.floor(at / 1000) }];
  const refreshToken = refreshTokens.make({ sessionId: id, counter: 0 });
  const tokenHash = hashRefreshToken(refreshToken);
  const device = describeDevice(c.req.header('user-agent') ?? '');
  const deviceHash = markDevice(service, c);
  const user = await insertSession(from, {
    id,
    user_id: userId,
    amr,
    tokenHash,
    device,
    deviceHash,
    now: new Date(at),
    provedHash: provedHash ?? null,
    provedAt: provedAt ?? new Date(at),
    notAfter: endOfSession(at),
    remembersDevice,
    language: askedOwnerTag(c),
  });
  return user && { opened: { session: { id, aal: 'aal1', amr }, refreshToken }, user };
}

/** Returns the session for the client: the refresh token, a new access token and the user. */
export function describeSession(
  { tokens, config, now }: Pick<AuthService, 'tokens' | 'config' | 'now'>,
  user: UserRow,
  { session, refreshToken }: OpenedSession,
): SessionObject {
  const issuedAt = Math.floor(now() / 1000);
  const expiresIn = config.accessTokenLifeSeconds;
  const expiresAt = issuedAt + expiresIn;
  const accessToken = tokens.sign({
    iss: tokens.issuer,
    sub: user.id,
    aud: AUDIENCE,
    iat: issuedAt,
    exp: expiresAt,
    email: shownEmail(user) ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    role: 'authenticated',
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  });
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: toUserObject(user),
  };
}
