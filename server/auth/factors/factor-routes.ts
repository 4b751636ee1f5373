import { type Context, Hono } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { challengeFactor } from './challenge-factor.ts';
import { enrollFactor } from './enroll-factor.ts';
import { removeFactor } from './remove-factor.ts';
import { verifyFactor } from './verify-factor.ts';

type UseCase = (service: AuthService, c: Context<AppEnv>) => Promise<Response>;

/** `/factors`: the second factors of the caller's own account. */
export function factorRoutes(service: AuthService): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const response = (useCase: UseCase) => (c: Context<AppEnv>) => {
    c.header('Cache-Control', 'no-store');
    return useCase(service, c);
  };
  routes.post('/', response(enrollFactor));
  routes.delete('/:factorId', response(removeFactor));
  routes.post('/:factorId/challenge', response(challengeFactor));
  routes.post('/:factorId/verify', response(verifyFactor));
  return routes;
}
