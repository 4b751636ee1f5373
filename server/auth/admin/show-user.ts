import type { Context } from 'hono';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { toUserObject } from '#server/auth/user-object.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import { findAnyUser } from './admin-queries.ts';

/** `GET /admin/users/:id`. */
export async function showUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const user = await findAnyUser(service.alone, requireUserId(c));
  if (user === undefined) throw new AuthError('userNotFound');
  return c.json(toUserObject(user));
}

/** The account that the path names. Throws `userIdMalformed`. */
export function requireUserId(c: Context<AppEnv>): string {
  const id = c.req.param('userId') ?? '';
  if (!isUuid(id)) throw new AuthError('userIdMalformed');
  return id;
}
