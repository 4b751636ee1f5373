import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import type { AnyCodePurpose } from '../codes/one-time-code.ts';
import { requireSession, type SignedIn } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { type FactorRow, listFactors } from './factor-queries.ts';

/**
 * Returns the caller's factor named in the path. An unverified factor is inaccessible until the session has shown a
 * verified one; otherwise the password alone would be enough to finish an enrollment.
 */
export async function requireFactor(
  service: AuthService,
  c: Context<AppEnv>,
): Promise<{ readonly factor: FactorRow; readonly signedIn: SignedIn }> {
  const signedIn = await requireSession(service, c);
  const id = c.req.param('factorId') ?? '';
  if (!isUuid(id)) throw new AuthError('factorIdMalformed');
  const factor = (await listFactors(service.alone, signedIn.user.id)).find((one) => one.id === id.toLowerCase());
  if (factor === undefined) throw new AuthError('factorNotFound');
  if (factor.status === 'unverified' && signedIn.unfinished) throw new AuthError('factorNeedsFactor');
  return { factor, signedIn };
}

/** The purpose of a code sent to a phone factor: valid for one challenge only. */
export function factorCodePurpose({ user_id: userId, phone }: FactorRow, challengeId: string): AnyCodePurpose {
  return { userId, tokenType: 'second_factor', recipient: `+${phone} ${challengeId}` };
}
