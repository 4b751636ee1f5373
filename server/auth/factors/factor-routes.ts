import { Hono } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { handlersOf } from '../endpoint.ts';
import { challengeFactor } from './challenge-factor.ts';
import { enrollFactor } from './enroll-factor.ts';
import { removeFactor } from './remove-factor.ts';
import { verifyFactor } from './verify-factor.ts';

/** `/factors`: the second factors of the caller's own account. */
export function factorRoutes(service: AuthService): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const respond = handlersOf(service);
  routes.post('/', respond(enrollFactor));
  routes.delete('/:factorId', respond(removeFactor));
  routes.post('/:factorId/challenge', respond(challengeFactor));
  routes.post('/:factorId/verify', respond(verifyFactor));
  return routes;
}
