import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import type { ResolvedCaller } from '#server/tokens/resolve-caller.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { findUserOfSession } from './user-queries.ts';

export interface SignedIn {
  readonly user: UserRow;
  readonly sessionId: string;
  /** What both the token and its session say: the lower of the two. */
  readonly aal: 'aal1' | 'aal2';
  /** The account has a second factor that this session has not shown. */
  readonly unfinished: boolean;
}

/**
 * Whoever holds the bearer token, as the database knows them now. Throws where there is no token, where it is not
 * ours or has expired, and where its session or its account is gone or banned.
 */
export async function requireSession(service: AuthService, c: Context<AppEnv>): Promise<SignedIn> {
  const authorization = c.req.header('authorization') ?? null;
  if (authorization === null || !/^Bearer +\S+ *$/i.test(authorization)) throw new AuthError('noBearer');
  const resolved = await service.resolveCaller(authorization, null);
  if (!resolved.ok) {
    throw refusalOf(resolved);
  }
  const { sub, session_id: sessionId } = resolved.claims;
  // An API key is no person.
  if (typeof sub !== 'string' || sub === '') throw new AuthError('subMissing');
  if (!isUuid(sub)) throw new AuthError('subMalformed');
  if (typeof sessionId !== 'string' || !isUuid(sessionId)) throw new AuthError('sessionGone');

  const user = await findUserOfSession(service.alone, sub, sessionId, new Date(service.now()));
  if (user === undefined) throw new AuthError('userGone');
  if (!user.session_lives) throw new AuthError('sessionGone');
  if (isBanned(user, service.now())) throw new AuthError('userBanned');
  const aal = resolved.claims.aal === 'aal2' && user.session_aal === 'aal2' ? 'aal2' : 'aal1';
  return { user, sessionId, aal, unfinished: user.has_factor && aal === 'aal1' };
}

/**
 * The same for what changes an account: where it has a second factor, this session must have shown it. Throws
 * `secondFactorNeeded` otherwise.
 */
export async function requireFinishedSession(service: AuthService, c: Context<AppEnv>): Promise<SignedIn> {
  const signedIn = await requireSession(service, c);
  if (signedIn.unfinished) throw new AuthError('secondFactorNeeded');
  return signedIn;
}

/** What is answered to a token that is not worth anything, or not any more. */
export function refusalOf({ reason, cause }: ResolvedCaller & { ok: false }): AuthError {
  switch (reason) {
    case 'malformed':
      return new AuthError('tokenRefused', { detail: 'token is malformed', cause });
    case 'expired':
      return new AuthError('tokenRefused', { detail: 'token is expired', cause });
    case 'refused':
      return new AuthError('tokenRefused', { detail: 'token is not valid', cause });
    case 'ended':
      return new AuthError('sessionGone');
    case 'banned':
      return new AuthError('userBanned');
    case 'user-gone':
      return new AuthError('userGone');
  }
}
