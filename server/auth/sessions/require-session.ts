import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import type { Caller } from '#server/postgres/caller.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { ClaimsRefused } from '#server/tokens/claims-refused.ts';
import type { ResolvedCaller } from '#server/tokens/resolve-caller.ts';
import { findUser, isBanned, lockUser, USER, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { AuthError } from '../wire/auth-error.ts';
import { findSessionOwner } from './session-queries.ts';

export interface SignedIn {
  readonly user: UserRow;
  readonly sessionId: string;
  /** The lower of the token's and the session's level. */
  readonly aal: 'aal1' | 'aal2';
  /** The account has a second factor that this session has not shown. */
  readonly unfinished: boolean;
}

/**
 * Returns the account of the bearer token, as the database has it now. Throws where the token is missing, foreign or
 * expired, its session has ended, or its account is deleted or banned.
 */
export async function requireSession(service: AuthService, c: Context<AppEnv>): Promise<SignedIn> {
  const claims = await requireClaims(service, c);
  const { sub, session_id: sessionId } = claims;
  if (typeof sessionId !== 'string' || !isUuid(sessionId)) throw new AuthError('sessionGone');

  const user = await findUserOfSession(service.alone, sub, sessionId, new Date(service.now()));
  if (user === undefined) throw new AuthError('userGone');
  if (!user.session_lives) throw new AuthError('sessionGone');
  if (isBanned(user, service.now())) throw new AuthError('userBanned');
  const aal = claims.aal === 'aal2' && user.session_aal === 'aal2' ? 'aal2' : 'aal1';
  return { user, sessionId, aal, unfinished: user.has_factor && aal === 'aal1' };
}

/** The same for a token that needs no session, where the operator accepts such tokens. Nothing can be changed by it. */
export async function requireAccount(service: AuthService, c: Context<AppEnv>): Promise<UserRow> {
  if (!service.config.sessionlessTokens) return (await requireSession(service, c)).user;
  const { sub, session_id: sessionId } = await requireClaims(service, c);
  if (sessionId !== undefined) return (await requireSession(service, c)).user;
  const user = await findUser(service.alone, sub);
  if (user === undefined) throw new AuthError('userGone');
  if (isBanned(user, service.now())) throw new AuthError('userBanned');
  return user;
}

/** Returns the claims of a user's bearer token. Throws for any other token, and for one that is refused. */
async function requireClaims(
  service: AuthService,
  c: Context<AppEnv>,
): Promise<Caller['claims'] & { readonly sub: string }> {
  const authorization = c.req.header('authorization') ?? null;
  if (authorization === null || !/^Bearer +\S+ *$/i.test(authorization)) throw new AuthError('noBearer');
  const resolved = await service.resolveCaller(authorization, null);
  if (!resolved.ok) {
    throw refusalOf(resolved);
  }
  const { sub } = resolved.claims;
  // API keys have no account.
  if (typeof sub !== 'string' || sub === '') throw new AuthError('subMissing');
  if (!isUuid(sub)) throw new AuthError('subMalformed');
  return { ...resolved.claims, sub };
}

/**
 * The same for changes of an account: if it has a second factor, the session must have shown it. Throws
 * `secondFactorNeeded` otherwise.
 */
export async function requireFinishedSession(service: AuthService, c: Context<AppEnv>): Promise<SignedIn> {
  const signedIn = await requireSession(service, c);
  if (signedIn.unfinished) throw new AuthError('secondFactorNeeded');
  return signedIn;
}

/**
 * Locks the account of a signed-in caller until the transaction ends, and returns it. Throws where the session has ended
 * since it was checked: what ends sessions locks the account first, so a session that is there now stays until the commit.
 */
export async function lockAccountOf(
  { now }: Pick<AuthService, 'now'>,
  transaction: Transaction,
  { user, sessionId }: Pick<SignedIn, 'user' | 'sessionId'>,
): Promise<UserRow> {
  const locked = await lockUser(transaction, user.id);
  if (locked === undefined) throw new AuthError('userGone');
  const owner = await findSessionOwner(transaction, sessionId, new Date(now()));
  if (owner?.user_id !== user.id) throw new AuthError('sessionGone');
  return locked;
}

/** Returns the session of a request as `requireFinishedSession` does; undefined for a request without one that counts. */
export async function findFinishedSession(service: AuthService, c: Context<AppEnv>): Promise<SignedIn | undefined> {
  try {
    return await requireFinishedSession(service, c);
  } catch (refusal) {
    if (refusal instanceof AuthError) return undefined;
    throw refusal;
  }
}

/** Returns the error for a token that is not valid, or no longer valid. */
export function refusalOf({ reason, cause }: ResolvedCaller & { ok: false }): AuthError {
  switch (reason) {
    case 'malformed':
      return new AuthError('tokenRefused', { detail: 'token is malformed', cause });
    case 'expired':
      return new AuthError('tokenRefused', { detail: 'token is expired', cause });
    case 'refused':
      if (cause instanceof ClaimsRefused) {
        return new AuthError('tokenRefused', { detail: `token has invalid claims: ${cause.message}`, cause });
      }
      return new AuthError('tokenRefused', { detail: 'token is not valid', cause });
    case 'ended':
      return new AuthError('sessionGone');
    case 'banned':
      return new AuthError('userBanned');
    case 'user-gone':
      return new AuthError('userGone');
  }
}

interface UserOfSession extends UserRow {
  readonly session_lives: boolean;
  readonly session_aal: 'aal1' | 'aal2' | null;
  /** Whether the account has a verified second factor. */
  readonly has_factor: boolean;
}

/** Returns the account, and whether the session belongs to it and is valid at `now`. */
async function findUserOfSession(
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
