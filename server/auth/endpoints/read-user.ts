import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { toUserObject } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { requireAccount } from '../sessions/require-session.ts';

/** `GET /user`: returns the account of the bearer token. */
export async function readUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  return c.json(toUserObject(await requireAccount(service, c)));
}
