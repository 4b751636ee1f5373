import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { AuthService } from '../auth-service.ts';
import { AuthError } from '../wire/auth-error.ts';
import { signInWithPassword } from './token-password.ts';
import { exchangeAuthorizationCode } from './token-pkce.ts';
import { rotateRefreshToken } from './token-refresh.ts';

/**
 * `POST /token?grant_type=…`: returns a session for a password, a refresh token, or an authorization code with its
 * verifier.
 */
export async function grantToken(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const grants = c.req.queries('grant_type') ?? [];
  if (grants.length === 1 && grants[0] === 'password') return signInWithPassword(service, c);
  if (grants.length === 1 && grants[0] === 'refresh_token') return rotateRefreshToken(service, c);
  if (grants.length === 1 && grants[0] === 'pkce') return exchangeAuthorizationCode(service, c);
  if (grants.length === 1 && grants[0] === 'id_token') throw new AuthError('idTokensOff');
  if (grants.length === 1 && grants[0] === 'web3') throw new AuthError('web3Off');
  throw new AuthError('grantUnknown');
}
