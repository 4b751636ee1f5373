import type { AuthService } from '#server/auth/auth-service.ts';
import type { OpenedSession } from '#server/auth/open-session.ts';
import { hashRefreshToken } from '#server/auth/refresh-token.ts';
import {
  type AuthenticationMethod,
  deleteLowSessions,
  lockSession,
  readLivingCounter,
  replaceToken,
  setAssurance,
} from '#server/auth/session-queries.ts';
import type { Transaction } from '#server/postgres/statement.ts';

export interface Raise {
  readonly sessionId: string;
  readonly userId: string;
  readonly factorId: string;
  readonly method: AuthenticationMethod['method'];
  /** Whether the factor counted before. A new one says nothing about who set it up. */
  readonly isProof: boolean;
}

/**
 * The session is worth aal2, goes on with new tokens, and the account's sessions that have shown no second factor
 * end. Undefined where the session has ended meanwhile.
 */
export async function raiseSession(
  { refreshTokens, now }: Pick<AuthService, 'refreshTokens' | 'now'>,
  transaction: Transaction,
  { sessionId, userId, factorId, method, isProof }: Raise,
): Promise<OpenedSession | undefined> {
  const session = await lockSession(transaction, sessionId);
  const living = session === undefined ? undefined : await readLivingCounter(transaction, sessionId);
  if (session === undefined || living === undefined) return undefined;
  const at = new Date(now());
  const amr: AuthenticationMethod[] = [
    { method, timestamp: Math.floor(at.getTime() / 1000) },
    ...session.amr.filter((entry) => entry.method !== method),
  ];
  await setAssurance(transaction, { sessionId, factorId, amr, provedAt: isProof ? at : null });
  await deleteLowSessions(transaction, userId, null);

  const counter = living + 1;
  const refreshToken = refreshTokens.make({ sessionId, counter });
  await replaceToken(transaction, { sessionId, counter, tokenHash: hashRefreshToken(refreshToken), now: at });
  return { session: { id: sessionId, aal: 'aal2', amr }, refreshToken };
}
