import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { findUser, lockUser } from '../accounts/user.ts';
import { requirePasskeyId } from '../passkeys/manage-passkeys.ts';
import { deletePasskey, describePasskey, listPasskeysOf } from '../passkeys/passkey-queries.ts';
import { AuthError } from '../wire/auth-error.ts';
import { actAsOperator } from './act-as-operator.ts';
import { requireUserId } from './show-user.ts';

/** `GET /admin/users/:id/passkeys`. */
export async function listUserPasskeys(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const userId = requireUserId(c);
  if ((await findUser(service.alone, userId)) === undefined) throw new AuthError('userNotFound');
  return c.json((await listPasskeysOf(service.alone, userId)).map(describePasskey));
}

/** `DELETE /admin/users/:id/passkeys/:passkeyId`: removes a passkey, and ends the sessions that it began. */
export async function deleteUserPasskey(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const userId = requireUserId(c);
  const id = requirePasskeyId(c);
  await actAsOperator(service, async (transaction) => {
    if ((await lockUser(transaction, userId)) === undefined) throw new AuthError('userNotFound');
    if (!(await deletePasskey(transaction, { id, userId, keptSession: null }))) throw new AuthError('passkeyNotFound');
  });
  return c.body(null, 204);
}
