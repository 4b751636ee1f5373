import type { Context } from 'hono';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { requireRecentProof } from '#server/auth/require-recent-proof.ts';
import { requireFinishedSession } from '#server/auth/require-session.ts';
import { lockUser } from '#server/auth/user-queries.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import { deleteIdentity, findOwnIdentity } from './identity-queries.ts';

/**
 * `DELETE /user/identities/:id`: the provider's identity no longer signs in to the account. The last one stays, and
 * so do the account's own address and number, which are changed and not unlinked.
 */
export async function unlinkIdentity(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const signedIn = await requireFinishedSession(service, c);
  const { user } = signedIn;
  const id = c.req.param('identityId') ?? '';
  if (!isUuid(id)) throw new AuthError('identityNotFound');
  await requireRecentProof(service, signedIn);
  await service.database.transactAsService(async (transaction) => {
    // Of two that unlink the last two at once, the second finds one left.
    await lockUser(transaction, user.id);
    const identity = await findOwnIdentity(transaction, user.id, id);
    if (identity === undefined) throw new AuthError('identityNotFound');
    if (identity.count === 1) throw new AuthError('identityLast');
    if (identity.provider === 'email' || identity.provider === 'phone') throw new AuthError('identityOwn');
    await deleteIdentity(transaction, identity);
  });
  return c.json({});
}
