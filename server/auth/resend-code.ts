import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { answerUniformly, type Sending } from './answer-uniformly.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { takeCodeAllowance, takeOrRefuse } from './code-allowance.ts';
import { type PendingCode, putCode, spendCodes } from './code-queries.ts';
import { normalizeAddress } from './email-address.ts';
import { readBody } from './read-body.ts';
import { chooseRecipient, sendCode, sendRegisterAgain } from './send-code.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { findUserByEmail, lockUserByEmail } from './user-queries.ts';
import { challenge, requireWellFormedChallenge, text } from './wire-fields.ts';

const resendBody = v.object({ type: text, email: text, phone: text, ...challenge });

/**
 * `POST /resend`: a new code for a registration that waits for one; the old code is dead. Where the address was
 * registered more than once, a message that says so takes the place of the code. The answer is `{}` for every address.
 */
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
  await answerUniformly(service, email, () => decide(service, email));
  return c.json({});
}

async function decide(service: AuthService, email: string): Promise<Sending> {
  const { database, codes, limits, now } = service;
  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
  const asked = choosePending(service, email, await findUserByEmail(service.alone, email));
  if (asked === null || !(await limits.take('codes_per_recipient', asked.recipient)).allowed) return null;
  return database.transactAsService(async (transaction) => {
    const pending = choosePending(service, email, await lockUserByEmail(transaction, email));
    // Confirmed in between, or registered anew with another phone, which was sent a code of its own.
    if (pending?.recipient !== asked.recipient) return null;
    if (pending.replacesAnother) {
      // Whoever asks believes that the code is for what they typed themselves: it may be for what a stranger did.
      await spendCodes(transaction, pending.userId);
      return () => sendRegisterAgain(service, email, pending);
    }
    const code = await putCode(transaction, { codes, pending, now: now() });
    return () => sendCode(service, pending, code);
  });
}

/** The code of the registration that waits for one; null where none does. */
function choosePending(service: AuthService, email: string, user: UserRow | undefined): PendingCode | null {
  if (user === undefined || user.confirmed_at !== null || isBanned(user, service.now())) return null;
  const destination = chooseRecipient(service, email, user.raw_user_meta_data);
  const replacesAnother = user.registrations > 1;
  return { userId: user.id, tokenType: 'confirmation', ...destination, replacesAnother };
}
