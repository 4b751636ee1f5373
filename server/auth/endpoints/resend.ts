import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { answerUniformly, type Sending } from './answer-uniformly.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { findClaims } from './claim-queries.ts';
import { takeRequestAllowance } from './code-allowance.ts';
import { markAsker } from './code-guesses.ts';
import { type CodeChannel, type PendingCode, putCode } from './code-queries.ts';
import { decideSignInByPhone } from './decide-sign-in-by-phone.ts';
import { normalizeAddress } from './email-address.ts';
import { enqueueAccountMail } from './enqueue-account-mail.ts';
import { deviceHashOf } from './known-device.ts';
import { bindsToProofKey } from './mail-link.ts';
import { sendWithin, takeMessageAllowance } from './message-allowance.ts';
import { requirePhoneDigits } from './phone-number.ts';
import { readBody } from './read-body.ts';
import { type ResendWish, resendEmailChange, resendPhoneChange } from './resend-change.ts';
import { chooseRecipients, sendCode } from './send-code.ts';
import { requireTextable } from './sms-allowance.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { lockUser } from './user-queries.ts';
import { challenge, requireWellFormedChallenge, text } from './wire-fields.ts';

const resendBody = v.object({ type: text, email: text, phone: text, ...challenge });

type Resend = (service: AuthService, wish: ResendWish) => Promise<Sending>;

const RESENDS: Readonly<Record<string, Resend>> = {
  signup: resendConfirmation,
  email_change: resendEmailChange,
  sms: (service, { address: phone, deviceHash }) => decideSignInByPhone(service, { phone, deviceHash }),
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
  if (byPhone) requireTextable(service, address);
  const wish = {
    address,
    challenge: body.code_challenge,
    redirectTo: c.req.query('redirect_to'),
    deviceHash: deviceHashOf(service, c),
  };
  const channel = channelOf(service, type);
  await takeRequestAllowance(service, { account: address, address: c.get('clientAddress'), channel });
  markAsker(service, c, address);
  await answerUniformly(service, () => resend(service, wish));
  return c.json({});
}

/** Where the code of a pending registration goes is the server's to know: each is taken for an SMS that could be one. */
function channelOf({ delivery }: AuthService, type: string): CodeChannel {
  if (type === 'signup') return delivery.hasSms ? 'sms' : 'email';
  return type === 'email_change' ? 'email' : 'sms';
}

async function resendConfirmation(service: AuthService, wish: ResendWish): Promise<Sending> {
  const { address: email, challenge, redirectTo, deviceHash } = wish;
  const { database, config } = service;
  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
  const known = chooseClaim(await findClaims(service.alone, email, { deviceHash }), deviceHash);
  if (known === undefined || isBanned(known, service.now())) return null;
  if (known.confirmed_at !== null) return askForProof(service, known);
  const redirect = chooseRedirect(config, redirectTo);
  const bound = bindsToProofKey(redirect, challenge) ? challenge : null;
  const common = { account: email, isProved: false, isBound: bound !== null };
  const ways = choosePending(service, email, known).map((way) => ({ ...way, ...common }));
  const taken = await takeMessageAllowance(service, ...ways);
  if (taken === null) return null;
  const { way, allowance } = taken;
  return database.transactAsService(async (transaction) => {
    const waysNow = choosePending(service, email, await lockUser(transaction, known.id));
    const still = waysNow.find(({ recipient }) => recipient === way.recipient);
    // Confirmed in between, or registered anew with another phone, which was sent a code of its own.
    if (still === undefined) return null;
    const pending = { ...still, challenge: bound };
    const secrets = await putCode(service, transaction, pending);
    return () => sendWithin(service, allowance, () => sendCode(service, { pending, secrets, redirect }));
  });
}

/** Of several accounts that claim an address: the one of this browser, else the newest that waits for its code. */
function chooseClaim(claims: readonly UserRow[], deviceHash: Buffer | null): UserRow | undefined {
  const sentAt = ({ confirmation_sent_at: at }: UserRow) => at?.getTime() ?? 0;
  const newestFirst = claims
    .filter(({ confirmed_at }) => confirmed_at === null)
    .sort((one, other) => sentAt(other) - sentAt(one));
  const isHere = ({ registered_on: device }: UserRow) => deviceHash !== null && (device?.equals(deviceHash) ?? false);
  return newestFirst.find(isHere) ?? claims.find(isHere) ?? newestFirst[0] ?? claims[0];
}

/**
 * The ways for the code of the registration that waits for one; none where none does. A registration by phone is
 * confirmed by its phone alone: by mail there is one for each address.
 */
function choosePending(service: AuthService, email: string, user: UserRow | undefined): readonly PendingCode[] {
  if (user === undefined || user.confirmed_at !== null || isBanned(user, service.now())) return [];
  const { registration_phone: phone } = user;
  const destinations = chooseRecipients(service, email, phone === null ? {} : { phone });
  const channel = phone === null ? 'email' : 'sms';
  const replacesAnother = user.registrations > 1;
  return destinations
    .filter((destination) => destination.channel === channel)
    .map((destination) => ({ userId: user.id, tokenType: 'confirmation', ...destination, replacesAnother }));
}

/** A phone confirmed the account, and its address is not proved yet. */
async function askForProof(service: AuthService, { id, claimed_email: email }: UserRow): Promise<Sending> {
  if (email === null) return null;
  const message = { channel: 'email', recipient: email, tokenType: 'address_proof', isProved: false } as const;
  const taken = await takeMessageAllowance(service, { ...message, account: email, userId: id });
  if (taken === null) return null;
  return () =>
    sendWithin(service, taken.allowance, () =>
      service.database.transactAsService((transaction) =>
        enqueueAccountMail(transaction, { kind: 'address_proof', userId: id }),
      ),
    );
}
