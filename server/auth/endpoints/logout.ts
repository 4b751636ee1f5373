import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { AuthService } from '../auth-service.ts';
import { requireSession } from '../sessions/require-session.ts';
import { deleteLowSessions, deleteSession, deleteSessions, noteSignOutElsewhere } from '../sessions/session-queries.ts';
import { AuthError } from '../wire/auth-error.ts';

/**
 * `POST /logout?scope=…`: ends all sessions of the account (`global`, the default), this one (`local`), or all others
 * (`others`).
 *
 * A session that has not shown the account's second factor cannot end one that has: a password alone must not sign the
 * owner out.
 */
export async function signOut(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { user, sessionId, unfinished } = await requireSession(service, c);
  const scope = c.req.query('scope') ?? 'global';
  const end = unfinished ? deleteLowSessions : deleteSessions;
  if (scope === 'global' || scope === 'others') await noteSignOutElsewhere(service.alone, user.id, sessionId);
  if (scope === 'global') {
    await end(service.alone, user.id, null);
    // The token may predate the session's second factor, so the session itself is ended explicitly.
    if (unfinished) await deleteSession(service.alone, sessionId);
  } else if (scope === 'local') await deleteSession(service.alone, sessionId);
  else if (scope === 'others') await end(service.alone, user.id, sessionId);
  else throw new AuthError('scopeUnknown', { detail: JSON.stringify(scope) });
  return c.body(null, 204);
}
