import type { AuthService } from '#server/auth/auth-service.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { endOfSession } from '../sessions/end-of-session.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import { hashRefreshToken, readLivingCounter, replaceToken } from '../sessions/refresh-token.ts';
import {
  type AuthenticationMethod,
  deleteLowSessions,
  lockSession,
  setAssurance,
} from '../sessions/session-queries.ts';

export interface Raise {
  readonly sessionId: string;
  readonly userId: string;
  readonly factorId: string;
  readonly method: AuthenticationMethod['method'];
  /** Whether the factor was verified before. Verifying a new factor says nothing about who enrolled it. */
  readonly isProof: boolean;
}

/**
 * Raises the session to aal2, issues new tokens, and ends the account's sessions that have shown no second factor.
 * Returns undefined where the session has ended in the meantime.
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

  // Leaves one out, so that the token before it is not exchanged for this one (`rotateRefreshToken`).
  const counter = living + 2;
  const refreshToken = refreshTokens.make({ sessionId, counter });
  const notAfter = endOfSession(at.getTime());
  const tokenHash = hashRefreshToken(refreshToken);
  await replaceToken(transaction, { sessionId, counter, tokenHash, now: at, notAfter });
  return { session: { id: sessionId, aal: 'aal2', amr }, refreshToken };
}
