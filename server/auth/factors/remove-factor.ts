import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { requireRecentProof } from '../sessions/require-recent-proof.ts';
import { lockAccountOf } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { deleteFactors } from './factor-queries.ts';
import { requireFactor } from './require-factor.ts';

/** `DELETE /factors/:id`. A verified factor can be removed only by a session at aal2. */
export async function removeFactor(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { factor, signedIn } = await requireFactor(service, c);
  if (factor.status === 'verified' && signedIn.aal !== 'aal2') throw new AuthError('removalNeedsFactor');
  if (factor.status === 'verified') await requireRecentProof(service, signedIn);
  await service.database.transactAsService(async (transaction) => {
    await lockAccountOf(service, transaction, signedIn);
    await deleteFactors(transaction, [factor.id]);
  });
  return c.json({ id: factor.id });
}
