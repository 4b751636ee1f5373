import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import { toUserObject } from '../accounts/user.ts';
import { AuthError } from '../wire/auth-error.ts';
import { findAnyUser } from './admin-queries.ts';

/** `GET /admin/users/:id`. */
export async function showUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const user = await findAnyUser(service.alone, requireUserId(c));
  if (user === undefined) throw new AuthError('userNotFound');
  return c.json(toUserObject(user));
}

/** Returns the account id in the path. Throws `userIdMalformed`. */
export function requireUserId(c: Context<AppEnv>): string {
  const id = c.req.param('userId') ?? '';
  if (!isUuid(id)) throw new AuthError('userIdMalformed');
  return id;
}
