import type { Context } from 'hono';
import * as v from 'valibot';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { chooseRedirect } from '#server/auth/choose-redirect.ts';
import { type PendingCode, putCode } from '#server/auth/code-queries.ts';
import { requireAcceptableAddress } from '#server/auth/email-address.ts';
import { readBody } from '#server/auth/read-body.ts';
import { BY_OPERATOR, registerAccount } from '#server/auth/register-account.ts';
import { sendCode } from '#server/auth/send-code.ts';
import { readMetadata } from '#server/auth/sign-up-data.ts';
import { toUserObject } from '#server/auth/user-object.ts';
import { findUser } from '#server/auth/user-queries.ts';
import { data, text } from '#server/auth/wire-fields.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { actAsOperator } from './act-as-operator.ts';

const invitation = v.object({ email: text, data });

/** `POST /invite`: an account that waits for its owner, and a mail with the link to it. It may be sent again. */
export async function inviteUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, invitation);
  const email = requireAcceptableAddress(body.email, service.config.emailDomainDenylist);
  const data = readMetadata(body.data);
  const registration = { email, passwordHash: null, data, phone: null, registeredOn: BY_OPERATOR };
  const redirect = chooseRedirect(service.config, c.req.query('redirect_to'));
  const { pending, secrets } = await actAsOperator(service, async (transaction) => {
    const registered = await registerAccount(transaction, registration);
    if (registered.outcome === 'exists') throw new AuthError('emailExists');
    const { userId } = registered;
    const pending: PendingCode = { userId, tokenType: 'invite', channel: 'email', recipient: email };
    return { pending, secrets: await putCode(service, transaction, pending) };
  });
  try {
    await sendCode(service, { pending, secrets, redirect });
  } catch (cause) {
    throw new AuthError('codeNotMailed', { retryAfterSeconds: 5, cause });
  }
  const user = await findUser(service.alone, pending.userId);
  if (user === undefined) throw new AuthError('userNotFound');
  return c.json(toUserObject(user));
}
