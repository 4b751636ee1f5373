import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import { requireRecentProof } from '../sessions/require-recent-proof.ts';
import { lockAccountOf, requireFinishedSession } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { deleteIdentity, findOwnIdentity } from './identity-queries.ts';

/**
 * `DELETE /user/identities/:id`: unlinks a provider's identity. The last identity cannot be unlinked, nor can the
 * account's own address or number, which are changed with `PUT /user`.
 */
export async function unlinkIdentity(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const signedIn = await requireFinishedSession(service, c);
  const { user } = signedIn;
  const id = c.req.param('identityId') ?? '';
  if (!isUuid(id)) throw new AuthError('identityNotFound');
  await requireRecentProof(service, signedIn);
  await service.database.transactAsService(async (transaction) => {
    // Serializes concurrent requests: of two that unlink the last two identities, the second finds one left.
    await lockAccountOf(service, transaction, signedIn);
    const identity = await findOwnIdentity(transaction, user.id, id);
    if (identity === undefined) throw new AuthError('identityNotFound');
    if (identity.count === 1) throw new AuthError('identityLast');
    if (identity.provider === 'email' || identity.provider === 'phone') throw new AuthError('identityOwn');
    await deleteIdentity(transaction, identity);
  });
  return c.json({});
}
