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

/** `/admin/…` (wire contract, section 1.14): every path below it is the operator's, one that is none included. */
export function adminRoutes(service: AuthService): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const answer = (useCase: UseCase) => (c: Context<AppEnv>) => useCase(service, c);
  routes.use('*', async (c, next) => {
    c.header('Cache-Control', 'no-store');
    await next();
  });
  routes.use('*', requireOperator(service));

  routes.get('/users', answer(listUsers));
  routes.post('/users', answer(createUser));
  routes.get('/users/:userId', answer(showUser));
  routes.put('/users/:userId', answer(updateUser));
  routes.delete('/users/:userId', answer(deleteUser));
  routes.get('/users/:userId/factors', answer(listUserFactors));
  routes.delete('/users/:userId/factors/:factorId', answer(deleteUserFactor));
  routes.post('/generate_link', answer(generateLink));
  return routes;
}
