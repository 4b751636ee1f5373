import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { acceptToken } from '../codes/accept-token.ts';
import type { SentToken } from '../codes/redeem-code.ts';
import type { Refusal } from '../wire/auth-error.ts';
import { deviceHashOf } from './device-cookies.ts';
import { type OpenedSession, openSession } from './open-session.ts';

/** A refusal is a value and not an exception: what was counted or spent must commit. */
export type Verified =
  | { readonly outcome: 'session'; readonly user: UserRow; readonly opened: OpenedSession }
  | { readonly outcome: 'message'; readonly message: string }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/** Spends a valid code or link and opens its session. */
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
