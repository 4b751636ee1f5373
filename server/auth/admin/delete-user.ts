import type { Context } from 'hono';
import * as v from 'valibot';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { AuthError } from '../wire/auth-error.ts';
import { flag, readBody } from '../wire/request-body.ts';
import { actAsOperator } from './act-as-operator.ts';
import { deleteUser as deleteUserRow, findAnyUser, insertTombstone } from './admin-queries.ts';
import { requireUserId } from './show-user.ts';

const deletion = v.object({ should_soft_delete: flag(false) });

/**
 * `DELETE /admin/users/:id`: deletes the account and all its data. A soft delete keeps a row with the id and the dates
 * and no personal data.
 */
export async function deleteUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const id = requireUserId(c);
  const { should_soft_delete: softly } = await readBody(c, deletion, { mayBeEmpty: true });
  await actAsOperator(service, async (transaction) => {
    const user = await findAnyUser(transaction, id);
    if (user === undefined) throw new AuthError('userNotFound');
    // The row is deleted in both cases: the cascade covers every table, including those added later.
    await deleteUserRow(transaction, id);
    if (softly) await insertTombstone(transaction, user, user.deleted_at ?? new Date(service.now()));
  });
  return c.json({});
}
