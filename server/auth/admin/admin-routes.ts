import { Hono } from 'hono';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { handlersOf } from '../endpoint.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import { generateLink } from './generate-link.ts';
import { listUsers } from './list-users.ts';
import { requireOperator } from './require-operator.ts';
import { showUser } from './show-user.ts';
import { updateUser } from './update-user.ts';
import { deleteUserFactor, listUserFactors } from './user-factors.ts';
import { deleteUserPasskey, listUserPasskeys } from './user-passkeys.ts';

/** `/admin/…`. Every path below it is for the operator alone, unknown paths included. */
export function adminRoutes(service: AuthService): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const respond = handlersOf(service);
  routes.use('*', async (c, next) => {
    c.header('Cache-Control', 'no-store');
    await next();
  });
  routes.use('*', requireOperator(service));

  routes.get('/users', respond(listUsers));
  routes.post('/users', respond(createUser));
  routes.get('/users/:userId', respond(showUser));
  routes.put('/users/:userId', respond(updateUser));
  routes.delete('/users/:userId', respond(deleteUser));
  routes.get('/users/:userId/factors', respond(listUserFactors));
  routes.delete('/users/:userId/factors/:factorId', respond(deleteUserFactor));
  routes.get('/users/:userId/passkeys', respond(listUserPasskeys));
  routes.delete('/users/:userId/passkeys/:passkeyId', respond(deleteUserPasskey));
  routes.post('/generate_link', respond(generateLink));
  return routes;
}
