import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { Metadata } from '../accounts/metadata.ts';
import { proveEmail, tagAtRegistration } from '../accounts/prove-identifier.ts';
import { type Registration, registerAccount } from '../accounts/register-account.ts';
import { savingUser } from '../accounts/saving-user.ts';
import type { AuthService } from '../auth-service.ts';
import { takeOrRefuse } from '../codes/code-allowance.ts';
import { describeSession, openSession, type SessionObject } from '../sessions/open-session.ts';
import { AuthError } from '../wire/auth-error.ts';

/**
 * Signs up on a server that trusts every address: creates a confirmed account and its session at once, and sends no
 * message.
 */
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

/**
 * `POST /signup` without an address or a number: creates an anonymous account, known only to this browser until `PUT
 * /user` adds an address. Throws `anonymousSignInsOff` where the operator has not enabled it.
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

/** Creates an anonymous account: one without an address or a number. */
async function insertAnonymousUser(transaction: Transaction, id: string, metadata: Metadata): Promise<void> {
  await savingUser(() =>
    transaction.query({
      name: 'auth_insert_anonymous_user',
      text: 'insert into auth.users (id, is_anonymous, raw_user_meta_data) values ($1, true, $2)',
      values: [id, metadata],
    }),
  );
}
