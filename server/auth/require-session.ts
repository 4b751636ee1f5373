import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { findUserOfSession } from './user-queries.ts';

export interface SignedIn {
  readonly user: UserRow;
  readonly sessionId: string;
}

/** Why a token is refused, in the words of the answer. */
export const TOKEN_REFUSALS = {
  malformed: 'token is malformed',
  expired: 'token is expired',
  refused: 'token is not valid',
} as const;

/**
 * Whoever holds the bearer token, as the database knows them now. Throws where there is no token, where it is not
 * ours or has expired, and where its session or its account is gone or banned.
 */
export async function requireSession(service: AuthService, c: Context<AppEnv>): Promise<SignedIn> {
  const authorization = c.req.header('authorization') ?? null;
  if (authorization === null || !/^Bearer +\S+ *$/i.test(authorization)) throw new AuthError('noBearer');
  const resolved = await service.resolveCaller(authorization, null);
  if (!resolved.ok) {
    throw new AuthError('tokenRefused', { detail: TOKEN_REFUSALS[resolved.reason], cause: resolved.cause });
  }
  const { sub, session_id: sessionId } = resolved.caller.claims;
  // An API key is no person.
  if (typeof sub !== 'string' || sub === '') throw new AuthError('subMissing');
  if (!isUuid(sub)) throw new AuthError('subMalformed');
  if (typeof sessionId !== 'string' || !isUuid(sessionId)) throw new AuthError('sessionGone');

  const user = await findUserOfSession(service.alone, sub, sessionId, new Date(service.now()));
  if (user === undefined) throw new AuthError('userGone');
  if (!user.session_lives) throw new AuthError('sessionGone');
  if (isBanned(user, service.now())) throw new AuthError('userBanned');
  return { user, sessionId };
}
