import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { answerUniformly, type Sending } from './answer-uniformly.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { takeCodeAllowance, takeOrRefuse } from './code-allowance.ts';
import { type PendingCode, putCode } from './code-queries.ts';
import { requireAcceptableAddress } from './email-address.ts';
import { readBody } from './read-body.ts';
import { registerAccount } from './register-account.ts';
import { sendCode } from './send-code.ts';
import { type Metadata, readMetadata } from './sign-up-data.ts';
import { isBanned } from './user-object.ts';
import { findUserByEmail } from './user-queries.ts';
import { challenge, data, flag, requireChannel, requireWellFormedChallenge, text } from './wire-fields.ts';

const requestCodeBody = v.object({
  email: text,
  phone: text,
  channel: text,
  create_user: flag(true),
  data,
  ...challenge,
});

/**
 * `POST /otp`: a code by e-mail to sign in with, or to confirm an account that begins without a password. The answer
 * is `{}` for every address, with an account or without.
 */
export async function requestCode(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, requestCodeBody);
  if (body.email !== '' && body.phone !== '') throw new AuthError('emailOrPhoneOnlyOnOtp');
  if (body.email === '' && body.phone === '') throw new AuthError('emailOrPhoneMissingOnOtp');
  requireChannel(body.channel, body.phone);
  requireWellFormedChallenge(body);
  if (body.phone !== '') throw new AuthError('phoneOtpsOff');
  const email = requireAcceptableAddress(body.email, service.config.emailDomainDenylist);
  const metadata = readMetadata(body.data);

  await takeOrRefuse(service, 'code_requests_per_address', c.get('clientAddress'));
  await takeCodeAllowance(service, email, 'email');
  await takeOrRefuse(service, 'codes_per_recipient', email);
  await answerUniformly(service, email, () => decide(service, email, metadata, body.create_user));
  return c.json({});
}

async function decide(service: AuthService, email: string, data: Metadata, createUser: boolean): Promise<Sending> {
  const { database, codes, now } = service;
  const user = await findUserByEmail(service.alone, email);
  if (user === undefined && !createUser) return null;
  if (user !== undefined && isBanned(user, now())) return null;

  const { pending, code } = await database.transactAsService(async (transaction) => {
    const registered =
      user?.confirmed_at == null
        ? await registerAccount(transaction, { email, passwordHash: null, data })
        : { outcome: 'exists' as const, user };
    const pending: PendingCode =
      registered.outcome === 'exists'
        ? { userId: registered.user.id, tokenType: 'sign_in', channel: 'email', recipient: email }
        : { userId: registered.userId, tokenType: 'confirmation', channel: 'email', recipient: email };
    return { pending, code: await putCode(transaction, { codes, pending, now: now() }) };
  });
  return () => sendCode(service, pending, code);
}
