import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { exchangeAuthorizationCode } from './exchange-authorization-code.ts';
import { rotateRefreshToken } from './rotate-refresh-token.ts';
import { signInWithPassword } from './sign-in-with-password.ts';

/** `POST /token?grant_type=…`: a session for a password, a refresh token, or a code and its verifier. */
export async function grantToken(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const grants = c.req.queries('grant_type') ?? [];
  if (grants.length === 1 && grants[0] === 'password') return signInWithPassword(service, c);
  if (grants.length === 1 && grants[0] === 'refresh_token') return rotateRefreshToken(service, c);
  if (grants.length === 1 && grants[0] === 'pkce') return exchangeAuthorizationCode(service, c);
  throw new AuthError('grantUnknown');
}
