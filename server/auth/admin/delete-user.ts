import type { Context } from 'hono';
import * as v from 'valibot';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { readBody } from '#server/auth/read-body.ts';
import { flag } from '#server/auth/wire-fields.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { actAsOperator } from './act-as-operator.ts';
import { deleteUser as deleteUserRow, findAnyUser, insertTombstone } from './admin-queries.ts';
import { requireUserId } from './show-user.ts';

const deletion = v.object({ should_soft_delete: flag(false) });

/**
 * `DELETE /admin/users/:id`: the account and all that belongs to it are gone. Softly, a row stays that holds its id
 * and its dates, and nothing by which anybody could be told.
 */
export async function deleteUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const id = requireUserId(c);
  const { should_soft_delete: softly } = await readBody(c, deletion, { mayBeEmpty: true });
  await actAsOperator(service, async (transaction) => {
    const user = await findAnyUser(transaction, id);
    if (user === undefined) throw new AuthError('userNotFound');
    // First all of it, so that no table is forgotten, today's or a later one.
    await deleteUserRow(transaction, id);
    if (softly) await insertTombstone(transaction, user, user.deleted_at ?? new Date(service.now()));
  });
  return c.json({});
}
