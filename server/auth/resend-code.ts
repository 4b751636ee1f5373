import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { answerUniformly, type Sending } from './answer-uniformly.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { takeCodeAllowance, takeOrRefuse } from './code-allowance.ts';
import { type PendingCode, putCode } from './code-queries.ts';
import { normalizeAddress } from './email-address.ts';
import { bindsToProofKey } from './mail-link.ts';
import { readBody } from './read-body.ts';
import { chooseRecipient, sendCode } from './send-code.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { findUserByEmail, lockUserByEmail } from './user-queries.ts';
import { challenge, requireWellFormedChallenge, text } from './wire-fields.ts';

const resendBody = v.object({ type: text, email: text, phone: text, ...challenge });

/** `POST /resend`: a new code for a registration that waits for one; the old code is dead. The answer is `{}` for every address. */
export async function resendCode(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, resendBody);
  const { type } = body;
  if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type)) throw new AuthError('resendTypeUnknown');
  if (body.email === '' && body.phone === '') throw new AuthError('emailOrPhoneMissingOnResend');
  const byPhone = type === 'sms' || type === 'phone_change';
  if (!byPhone && body.phone !== '') throw new AuthError('resendNeedsEmail');
  if (byPhone && body.email !== '') throw new AuthError('resendNeedsPhone');
  requireWellFormedChallenge(body);
  if (byPhone) throw new AuthError('phoneOtpsOff');
  if (type === 'email_change') throw new AuthError('notOffered', { detail: 'changing the e-mail address' });

  const email = normalizeAddress(body.email);
  await takeOrRefuse(service, 'code_requests_per_address', c.get('clientAddress'));
  // Where the code of a pending registration goes is the server's to know: what it would be by default is said alike to all.
  await takeCodeAllowance(service, email, service.delivery.hasSms ? 'sms' : 'email');
  const wish = { email, challenge: body.code_challenge, redirectTo: c.req.query('redirect_to') };
  await answerUniformly(service, email, () => decide(service, wish));
  return c.json({});
}

interface Wish {
  readonly email: string;
  readonly challenge: string;
  readonly redirectTo: string | undefined;
}

async function decide(service: AuthService, { email, challenge, redirectTo }: Wish): Promise<Sending> {
  const { database, limits, config } = service;
  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
  const asked = choosePending(service, email, await findUserByEmail(service.alone, email));
  if (asked === null || !(await limits.take('codes_per_recipient', asked.recipient)).allowed) return null;
  const redirect = chooseRedirect(config, redirectTo);
  return database.transactAsService(async (transaction) => {
    const chosen = choosePending(service, email, await lockUserByEmail(transaction, email));
    // Confirmed in between, or registered anew with another phone, which was sent a code of its own.
    if (chosen?.recipient !== asked.recipient) return null;
    const pending = { ...chosen, challenge: bindsToProofKey(redirect, challenge) ? challenge : null };
    const secrets = await putCode(service, transaction, pending);
    return () => sendCode(service, { pending, secrets, redirect });
  });
}

/** The code of the registration that waits for one; null where none does. */
function choosePending(service: AuthService, email: string, user: UserRow | undefined): PendingCode | null {
  if (user === undefined || user.confirmed_at !== null || isBanned(user, service.now())) return null;
  const destination = chooseRecipient(service, email, user.raw_user_meta_data);
  const replacesAnother = user.registrations > 1;
  return { userId: user.id, tokenType: 'confirmation', ...destination, replacesAnother };
}
