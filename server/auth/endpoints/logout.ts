import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { requireSession } from './require-session.ts';
import { deleteLowSessions, deleteSession, deleteSessions } from './session-queries.ts';

/**
 * `POST /logout?scope=…`: ends all sessions of the account (`global`, the default), this one, or all others. Whoever has
 * not shown the account's second factor ends none that has: a password alone is not enough to sign its owner out.
 */
export async function signOut(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { user, sessionId, unfinished } = await requireSession(service, c);
  const scope = c.req.query('scope') ?? 'global';
  const end = unfinished ? deleteLowSessions : deleteSessions;
  if (scope === 'global') {
    await end(service.alone, user.id, null);
    // A token from before this session showed the factor ends the session all the same.
    if (unfinished) await deleteSession(service.alone, sessionId);
  } else if (scope === 'local') await deleteSession(service.alone, sessionId);
  else if (scope === 'others') await end(service.alone, user.id, sessionId);
  else throw new AuthError('scopeUnknown', { detail: JSON.stringify(scope) });
  return c.body(null, 204);
}
