import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { followLanguage } from '../accounts/follow-language.ts';
import { findUser, isBanned, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { endOfSession } from '../sessions/end-of-session.ts';
import { describeSession, type OpenedSession } from '../sessions/open-session.ts';
import {
  hashRefreshToken,
  type RefreshTokenPlace,
  readTokenStanding,
  replaceToken,
} from '../sessions/refresh-token.ts';
import { deleteSession, lockSession } from '../sessions/session-queries.ts';
import { AuthError, type Refusal } from '../wire/auth-error.ts';
import { readBody, text } from '../wire/request-body.ts';

/** Two tabs can refresh and show the second factor at once. */
const REUSE_MS = 10_000;

const refreshBody = v.object({ refresh_token: text });

type Rotated = { readonly user: UserRow; readonly opened: OpenedSession } | { readonly refused: Refusal };

/**
 * `POST /token?grant_type=refresh_token`: replaces the refresh token.
 *
 * A response can be lost, so the token just before the current one returns the current one again, until that is used.
 * Reuse of an older token means that two clients hold the session, so it is ended for both (RFC 9700, section 4.14.2).
 */
export async function rotateRefreshToken(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { refresh_token: token } = await readBody(c, refreshBody);
  const read = service.refreshTokens.read(token);
  if (read.outcome === 'malformed') throw new AuthError('refreshTokenMalformed');
  if (read.outcome === 'foreign') throw new AuthError('refreshTokenNotFound');
  // A refusal is a return value and not an exception: the transaction that ended the session must commit.
  const rotated = await service.database.transactAsService(
    async (transaction): Promise<Rotated> => rotate(service, transaction, token, read.place),
  );
  if ('refused' in rotated) throw new AuthError(rotated.refused);
  await followLanguage(service, c, rotated.user.id);
  return c.json(describeSession(service, rotated.user, rotated.opened));
}

async function rotate(
  { refreshTokens, now }: AuthService,
  transaction: Transaction,
  token: string,
  { sessionId, counter }: RefreshTokenPlace,
): Promise<Rotated> {
  const at = now();
  // The lock comes first, in a statement of its own: later statements then see what the previous rotation committed.
  const session = await lockSession(transaction, sessionId);
  if (session === undefined) return { refused: 'refreshTokenNotFound' };
  if (session.not_after !== null && session.not_after.getTime() <= at) return { refused: 'sessionExpired' };
  const [standing, user] = await Promise.all([
    readTokenStanding(transaction, { sessionId, counter, tokenHash: hashRefreshToken(token) }),
    findUser(transaction, session.user_id),
  ]);
  if (standing === undefined) return { refused: 'refreshTokenNotFound' };
  if (user === undefined) return { refused: 'sessionInvalid' };
  if (isBanned(user, at)) return { refused: 'userBannedOnRefresh' };

  const { revoked_at: revokedAt, active_counter: living } = standing;
  if (revokedAt === null) {
    const next = refreshTokens.make({ sessionId, counter: counter + 1 });
    const tokenHash = hashRefreshToken(next);
    const notAfter = endOfSession(at);
    await replaceToken(transaction, { sessionId, counter: counter + 1, tokenHash, now: new Date(at), notAfter });
    return { user, opened: { session, refreshToken: next } };
  }
  // Where the current token was issued for a second factor, it is not the next one, and only a client that refreshes at
  // the same moment receives it: later, the holder of the older token has not shown the factor.
  const isAtOnce = at - revokedAt.getTime() <= REUSE_MS;
  if (living !== null && (living === counter + 1 || isAtOnce)) {
    return { user, opened: { session, refreshToken: refreshTokens.make({ sessionId, counter: living }) } };
  }
  await deleteSession(transaction, sessionId);
  return { refused: 'refreshTokenUsed' };
}
