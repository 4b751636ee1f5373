import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { takeOrRefuse } from './code-allowance.ts';
import { describeSession, openSession } from './open-session.ts';
import type { Metadata } from './sign-up-data.ts';
import { insertAnonymousUser } from './user-queries.ts';

/**
 * `POST /signup` without an address or a number: an account that only this browser has, until `PUT /user` gives it
 * an address. Throws `anonymousSignInsOff` where the operator has not allowed it.
 */
export async function signInAnonymously(
  service: AuthService,
  c: Context<AppEnv>,
  metadata: Metadata,
): Promise<Response> {
  if (!service.config.anonymousSignIns) throw new AuthError('anonymousSignInsOff');
  await takeOrRefuse(service, 'sign_up_per_address', c.get('clientAddress'));
  const id = randomUUID();
  const begun = await service.database.transactAsService(async (transaction) => {
    await insertAnonymousUser(transaction, id, metadata);
    return openSession(service, transaction, { userId: id, method: 'anonymous', c });
  });
  if (begun === undefined) throw new Error('The account went away while it was made.');
  return c.json(describeSession(service, begun.user, begun.opened));
}
