import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { toUserObject } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { requireSession } from '../sessions/require-session.ts';

/** `GET /user`: returns the account of the bearer token. */
export async function readUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { user } = await requireSession(service, c);
  return c.json(toUserObject(user));
}
