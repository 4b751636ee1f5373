import type { Context } from 'hono';
import * as v from 'valibot';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { requireAcceptableAddress } from '../accounts/identifier.ts';
import { readMetadata } from '../accounts/metadata.ts';
import { findUser, toUserObject } from '../accounts/user.ts';
import { type PendingCode, putCode } from '../codes/one-time-code.ts';
import { sendCode } from '../codes/send-code.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseRedirect } from '../wire/redirects.ts';
import { data, readBody, text } from '../wire/request-body.ts';
import { actAsOperator } from './act-as-operator.ts';
import { registerByOperator } from './register-by-operator.ts';

const invitation = v.object({ email: text, data });

/** `POST /invite`: creates an account and mails its owner a link to it. The invitation can be sent again. */
export async function inviteUser(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  if (!service.config.hasMail) throw new AuthError('mailOff');
  const body = await readBody(c, invitation);
  const email = requireAcceptableAddress(body.email, service.config.emailDomainDenylist);
  const metadata = readMetadata(body.data);
  const redirect = chooseRedirect(service.config, c.req.query('redirect_to'));
  const { pending, secrets } = await actAsOperator(service, async (transaction) => {
    const userId = await registerByOperator(transaction, { email, passwordHash: null, metadata, isSignUp: false });
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
