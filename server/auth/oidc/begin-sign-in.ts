import type { Context } from 'hono';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { withRefusal } from '#server/auth/redirect-answers.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { beginVisit, readVisit } from './begin-visit.ts';

/** `GET /authorize?provider=…`: on to the provider, or back to the page with what is in the way. */
export async function beginSignIn(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  c.header('Referrer-Policy', 'no-referrer');
  const visit = readVisit(service, c);
  try {
    return c.redirect(await beginVisit(service, c, visit, null), 302);
  } catch (failure) {
    if (!(failure instanceof AuthError)) throw failure;
    return c.redirect(withRefusal(visit.redirectTo, failure, { inQueryToo: true }), 303);
  }
}
