import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { acceptToken } from './accept-token.ts';
import type { Refusal } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import type { SentToken } from './code-queries.ts';
import { deviceHashOf } from './known-device.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import type { UserRow } from './user-object.ts';

/** A refusal is a result and no exception: what it counted or spent must be committed. */
export type Verified =
  | { readonly outcome: 'session'; readonly user: UserRow; readonly opened: OpenedSession }
  | { readonly outcome: 'message'; readonly message: string }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** Spends a right code or link and opens the session that it is good for. */
export async function finishVerification(
  service: AuthService,
  c: Context<AppEnv>,
  transaction: Transaction,
  token: SentToken,
): Promise<Verified> {
  const accepted = await acceptToken(service, transaction, token, deviceHashOf(service, c));
  if (accepted.outcome !== 'signs-in') return accepted;
  const { userId, provedAt = null } = accepted;
  const begun = await openSession(service, transaction, { userId, method: 'otp', c, provedAt });
  return begun === undefined ? { outcome: 'refused', refusal: 'codeRefused' } : { outcome: 'session', ...begun };
}
