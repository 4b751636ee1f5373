import type { Context } from 'hono';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AnyCodePurpose } from '#server/auth/one-time-code.ts';
import { requireSession, type SignedIn } from '#server/auth/require-session.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import { type FactorRow, listFactors } from './factor-queries.ts';

/**
 * The factor in the path, which is one of the caller's own. One that was never verified is out of reach until the
 * caller has shown the one that was: whoever knows the password alone could otherwise finish a set-up of their own.
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

/** A code that was sent to a phone answers one challenge, and no other. */
export function factorCodePurpose({ user_id: userId, phone }: FactorRow, challengeId: string): AnyCodePurpose {
  return { userId, tokenType: 'second_factor', recipient: `+${phone} ${challengeId}` };
}
