import type { Context } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import { requireRecentProof } from '#server/auth/require-recent-proof.ts';
import { requireFinishedSession } from '#server/auth/require-session.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { beginVisit, readVisit } from './begin-visit.ts';

/**
 * `GET /user/identities/authorize?provider=…`: where an account's owner goes to link an identity to it. The client
 * asks for the address as JSON and goes there itself, because a redirect could not carry its token.
 */
export async function beginLinking(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const signedIn = await requireFinishedSession(service, c);
  await requireRecentProof(service, signedIn);
  const url = await beginVisit(service, c, readVisit(service, c), signedIn.sessionId);
  return c.req.query('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 302);
}
