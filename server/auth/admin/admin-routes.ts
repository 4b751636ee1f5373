import { type Context, Hono } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { generateLink } from './generate-link.ts';
import { listUsers } from './list-users.ts';
import { requireOperator } from './require-operator.ts';
import { showUser } from './show-user.ts';
import { updateUser } from './update-user.ts';
import { deleteUserFactor, listUserFactors } from './user-factors.ts';

type UseCase = (service: AuthService, c: Context<AppEnv>) => Promise<Response>;

/** `/admin/…`. Every path below it is for the operator alone, unknown paths included. */
export function adminRoutes(service: AuthService): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const response = (useCase: UseCase) => (c: Context<AppEnv>) => useCase(service, c);
  routes.use('*', async (c, next) => {
    c.header('Cache-Control', 'no-store');
    await next();
  });
  routes.use('*', requireOperator(service));

  routes.get('/users', response(listUsers));
  routes.post('/users', response(createUser));
  routes.get('/users/:userId', response(showUser));
  routes.put('/users/:userId', response(updateUser));
  routes.delete('/users/:userId', response(deleteUser));
  routes.get('/users/:userId/factors', response(listUserFactors));
  routes.delete('/users/:userId/factors/:factorId', response(deleteUserFactor));
  routes.post('/generate_link', response(generateLink));
  return routes;
}
