import { type Context, Hono } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { listUsers } from './list-users.ts';
import { requireOperator } from './require-operator.ts';
import { showUser } from './show-user.ts';
import { updateUser } from './update-user.ts';

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
  return routes;
}
