import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import { deleteFactors } from '#server/auth/factors/factor-queries.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import type { UserRow } from '../accounts/user.ts';
import { findUser, lockUser } from '../accounts/user.ts';
import { AuthError } from '../wire/auth-error.ts';
import { actAsOperator } from './act-as-operator.ts';
import { requireUserId } from './show-user.ts';

/** `GET /admin/users/:id/factors`: lists the factors without their secrets. */
export async function listUserFactors(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const user = await findUser(service.alone, requireUserId(c));
  if (user === undefined) throw new AuthError('userNotFound');
  return c.json(user.factors);
}

/**
 * `DELETE /admin/users/:id/factors/:factorId`: removes a factor that its owner has lost. Responds with the removed
 * factor.
 */
export async function deleteUserFactor(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const userId = requireUserId(c);
  const factorId = c.req.param('factorId') ?? '';
  if (!isUuid(factorId)) throw new AuthError('factorIdMalformed');
  const removed = await actAsOperator(service, async (transaction) => {
    const user = await lockUser(transaction, userId);
    if (user === undefined) throw new AuthError('userNotFound');
    const factor = findFactor(user, factorId);
    await deleteFactors(transaction, [factor.id]);
    return factor;
  });
  return c.json(removed);
}

function findFactor({ factors }: UserRow, id: string): UserRow['factors'][number] {
  const factor = factors.find((one) => one.id === id.toLowerCase());
  if (factor === undefined) throw new AuthError('factorNotFound');
  return factor;
}
