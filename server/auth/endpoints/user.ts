import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { AuthService } from './auth-service.ts';
import { requireSession } from './require-session.ts';
import { toUserObject } from './user-object.ts';

/** `GET /user`: the account that the bearer token is for. */
export async function readUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { user } = await requireSession(service, c);
  return c.json(toUserObject(user));
}
