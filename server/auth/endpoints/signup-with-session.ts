import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { tagAtRegistration } from './confirm-queries.ts';
import { describeSession, openSession, type SessionObject } from './open-session.ts';
import { proveEmail } from './prove-email.ts';
import { type Registration, registerAccount } from './register-account.ts';

/** A sign-up on a server that takes every address for proved: the account and its session at once, and no message. */
export async function signUpConfirmed(
  service: AuthService,
  c: Context<AppEnv>,
  registration: Registration,
): Promise<SessionObject> {
  const { qr_id: qrId } = registration.data;
  const begun = await service.database.transactAsService(async (transaction) => {
    const registered = await registerAccount(transaction, registration);
    if (registered.outcome === 'exists') throw new AuthError('userExists');
    const { userId } = registered;
    if (!(await proveEmail(transaction, userId, registration.email, new Date(service.now())))) {
      throw new AuthError('userExists');
    }
    if (typeof qrId === 'string') await tagAtRegistration(transaction, userId, qrId);
    return openSession(service, transaction, { userId, method: 'password', c });
  });
  if (begun === undefined) throw new Error('The account went away while it was registered.');
  return describeSession(service, begun.user, begun.opened);
}
