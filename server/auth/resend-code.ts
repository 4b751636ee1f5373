import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { answerUniformly, type Sending } from './answer-uniformly.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { type CodeAllowance, takeCodeAllowance, takeOrRefuse, takeRecipientAllowance } from './code-allowance.ts';
import { type PendingCode, putCode } from './code-queries.ts';
import { decideSignInByPhone } from './decide-sign-in-by-phone.ts';
import { normalizeAddress } from './email-address.ts';
import { enqueueAccountMail } from './enqueue-account-mail.ts';
import { bindsToProofKey } from './mail-link.ts';
import { requirePhoneDigits } from './phone-number.ts';
import { readBody } from './read-body.ts';
import { type ResendWish, resendEmailChange, resendPhoneChange } from './resend-change.ts';
import { chooseRecipient, sendCode } from './send-code.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { findUserByEmail, lockUserByEmail } from './user-queries.ts';
import { challenge, requireWellFormedChallenge, text } from './wire-fields.ts';

const resendBody = v.object({ type: text, email: text, phone: text, ...challenge });

type Resend = (service: AuthService, wish: ResendWish) => Promise<Sending>;

const RESENDS: Readonly<Record<string, Resend>> = {
  signup: resendConfirmation,
  email_change: resendEmailChange,
  sms: (service, { address }) => decideSignInByPhone(service, address),
  phone_change: resendPhoneChange,
};

/** `POST /resend`: a new code in place of one that is waited for. The answer is `{}` for every address and number. */
export async function resendCode(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, resendBody);
  const { type } = body;
  const resend = Object.hasOwn(RESENDS, type) ? RESENDS[type] : undefined;
  if (resend === undefined) throw new AuthError('resendTypeUnknown');
  if (body.email === '' && body.phone === '') throw new AuthError('emailOrPhoneMissingOnResend');
  const byPhone = type === 'sms' || type === 'phone_change';
  if (!byPhone && body.phone !== '') throw new AuthError('resendNeedsEmail');
  if (byPhone && body.email !== '') throw new AuthError('resendNeedsPhone');
  requireWellFormedChallenge(body);
  if (byPhone && !service.delivery.hasSms) throw new AuthError('phoneOtpsOff');

  const address = byPhone ? requirePhoneDigits(body.phone) : normalizeAddress(body.email);
  const wish = { address, challenge: body.code_challenge, redirectTo: c.req.query('redirect_to') };
  await takeOrRefuse(service, 'code_requests_per_address', c.get('clientAddress'));
  const allowance = allowanceOf(service, type, address);
  await takeCodeAllowance(service, allowance);
  await answerUniformly(service, allowance, () => resend(service, wish));
  return c.json({});
}

/** Where the code of a pending registration goes is the server's to know: each way that it might go is counted. */
function allowanceOf({ delivery }: AuthService, type: string, address: string): CodeAllowance {
  if (type === 'signup' && delivery.hasSms) return { key: address, channels: ['sms', 'email'] };
  const channel = type === 'signup' || type === 'email_change' ? 'email' : 'sms';
  return { key: address, channels: [channel] };
}

async function resendConfirmation(service: AuthService, wish: ResendWish): Promise<Sending> {
  const { address: email, challenge, redirectTo } = wish;
  const { database, config } = service;
  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
  const known = await findUserByEmail(service.alone, email);
  if (known !== undefined && awaitsProof(service, known)) return askForProof(service, known);
  const asked = choosePending(service, email, known);
  if (asked === null || !(await takeRecipientAllowance(service, asked)).allowed) return null;
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

/** Whether a phone confirmed the account and nobody has said yet that the address is theirs. */
function awaitsProof({ now }: AuthService, user: UserRow): boolean {
  return user.confirmed_at !== null && user.email_confirmed_at === null && !isBanned(user, now());
}

async function askForProof(service: AuthService, { id, email }: UserRow): Promise<Sending> {
  if (email === null || !(await takeRecipientAllowance(service, { channel: 'email', recipient: email })).allowed)
    return null;
  return () =>
    service.database.transactAsService((transaction) =>
      enqueueAccountMail(transaction, { kind: 'address_proof', userId: id }),
    );
}
