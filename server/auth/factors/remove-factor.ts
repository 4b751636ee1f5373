import type { Context } from 'hono';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { requireRecentProof } from '#server/auth/require-recent-proof.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { deleteFactors } from './factor-queries.ts';
import { requireFactor } from './require-factor.ts';

/** `DELETE /factors/:id`. One that counts can be removed only by a session that has shown a second factor. */
export async function removeFactor(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { factor, signedIn } = await requireFactor(service, c);
  if (factor.status === 'verified' && signedIn.aal !== 'aal2') throw new AuthError('removalNeedsFactor');
  if (factor.status === 'verified') await requireRecentProof(service, signedIn);
  await deleteFactors(service.alone, [factor.id]);
  return c.json({ id: factor.id });
}
