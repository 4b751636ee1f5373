import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { requireSession } from './require-session.ts';
import { deleteSession, deleteSessions } from './session-queries.ts';

/** `POST /logout?scope=…`: ends all sessions of the account (`global`, the default), this one, or all others. */
export async function signOut(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { user, sessionId } = await requireSession(service, c);
  const scope = c.req.query('scope') ?? 'global';
  if (scope === 'global') await deleteSessions(service.alone, user.id, null);
  else if (scope === 'local') await deleteSession(service.alone, sessionId);
  else if (scope === 'others') await deleteSessions(service.alone, user.id, sessionId);
  else throw new AuthError('scopeUnknown', { detail: JSON.stringify(scope) });
  return c.body(null, 204);
}
