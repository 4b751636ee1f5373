import { Hono } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { handlersOf } from '../endpoint.ts';
import { listPasskeys, removePasskey, renamePasskey } from './manage-passkeys.ts';
import { startPasskeyAuthentication } from './start-authentication.ts';
import { startPasskeyRegistration } from './start-registration.ts';
import { signInWithPasskey } from './verify-authentication.ts';
import { verifyPasskeyRegistration } from './verify-registration.ts';

/** `/passkeys`: signing in with one, and those of the caller's own account. */
export function passkeyRoutes(service: AuthService): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const respond = handlersOf(service);
  routes.post('/authentication/options', respond(startPasskeyAuthentication));
  routes.post('/authentication/verify', respond(signInWithPasskey));
  routes.post('/registration/options', respond(startPasskeyRegistration));
  routes.post('/registration/verify', respond(verifyPasskeyRegistration));
  routes.get('/', respond(listPasskeys));
  routes.patch('/:passkeyId', respond(renamePasskey));
  routes.delete('/:passkeyId', respond(removePasskey));
  return routes;
}
