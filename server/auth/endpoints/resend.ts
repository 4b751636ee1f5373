import type { Context } from 'hono';
import * as v from 'valibot';
import { normalizeAddress } from '#server/delivery/email/email-address.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { requirePhoneDigits } from '../accounts/identifier.ts';
import { findClaims, isBanned, lockUser, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { takeRequestAllowance } from '../codes/code-allowance.ts';
import { hasLivingCode } from '../codes/earlier-codes.ts';
import {
  areGuessesUsedUp,
  prepareCode,
  respondUniformly,
  type Sending,
  sendWithin,
  takeMessageAllowance,
} from '../codes/message-allowance.ts';
import type { CodeTransport, PendingCode } from '../codes/one-time-code.ts';
import { chooseRecipients, sendAddressProof } from '../codes/send-code.ts';
import { requireTextable } from '../codes/sms-allowance.ts';
import { markDevice, markRequester } from '../sessions/device-cookies.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseLinkTarget } from '../wire/redirects.ts';
import { challenge, readBody, requireWellFormedChallenge, text } from '../wire/request-body.ts';
import { decideSignInByPhone } from './decide-sign-in-by-phone.ts';
import { type ResendRequest, resendEmailChange, resendPhoneChange } from './resend-change.ts';

const resendBody = v.object({ type: text, email: text, phone: text, ...challenge });

type Resend = (service: AuthService, again: ResendRequest) => Promise<Sending>;

const RESENDS: Readonly<Record<string, Resend>> = {
  signup: resendConfirmation,
  email_change: resendEmailChange,
  sms: (service, { address: phone, deviceHash }) => decideSignInByPhone(service, { phone, deviceHash }),
  phone_change: resendPhoneChange,
};

/**
 * `POST /resend`: sends a new code for what waits for one. Earlier links stay valid, and so does the newest code that
 * the browser requested. The response is `{}` for every address and number.
 */
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
  if (channelOf(service, type) === 'email' && !service.config.hasMail) throw new AuthError('mailOff');

  const address = byPhone ? requirePhoneDigits(body.phone) : normalizeAddress(body.email);
  if (byPhone) requireTextable(service, address);
  const again = {
    address,
    challenge: body.code_challenge,
    redirectTo: c.req.query('redirect_to'),
    deviceHash: markDevice(service, c),
    client: c.get('clientAddress'),
  };
  const channel = channelOf(service, type);
  await takeRequestAllowance(service, { account: address, address: c.get('clientAddress'), channel });
  markRequester(service, c, address);
  await respondUniformly(service, () => resend(service, again));
  return c.json({});
}

/**
 * Only the server knows where the code of a pending registration goes. The request counts as one for an SMS wherever it
 * could be one.
 */
function channelOf({ delivery }: AuthService, type: string): CodeTransport {
  if (type === 'signup') return delivery.hasSms ? 'sms' : 'email';
  return type === 'email_change' ? 'email' : 'sms';
}

async function resendConfirmation(service: AuthService, again: ResendRequest): Promise<Sending> {
  const { address: email, challenge, redirectTo, deviceHash, client } = again;
  const { database, config } = service;
  // Limits are counted before the transaction: inside one, nothing may wait for a second connection.
  const known = chooseClaim(await findClaims(service.alone, email, { deviceHash }), deviceHash);
  if (known === undefined || isBanned(known, service.now())) return null;
  if (known.confirmed_at !== null) return askForProof(service, known, client);
  const target = chooseLinkTarget(config, redirectTo, challenge);
  const common = { account: email, isProved: false, isBound: target.challenge !== null, client };
  const allDestinations = choosePending(service, email, known).map((way) => ({ ...way, ...common }));
  const taken = await takeMessageAllowance(service, ...allDestinations);
  if (taken === null) {
    if (await hasNoUsableCode(service, known, { email, deviceHash })) throw new AuthError('smsHeldBack');
    return null;
  }
  const { way, allowance } = taken;
  return database.transactAsService(async (transaction) => {
    const destinationsNow = choosePending(service, email, await lockUser(transaction, known.id));
    const still = destinationsNow.find(({ recipient }) => recipient === way.recipient);
    // Confirmed in between, or registered again with another phone, which was sent its own code.
    if (still === undefined) return null;
    const pending = { ...still, challenge: target.challenge, askedOn: deviceHash };
    return prepareCode(service, transaction, allowance, { pending, redirect: target.redirect });
  });
}

/**
 * Of several accounts that claim an address, returns the one registered in this browser, else the latest that waits for
 * its code.
 */
function chooseClaim(claims: readonly UserRow[], deviceHash: Buffer | null): UserRow | undefined {
  const sentAt = ({ confirmation_sent_at: at }: UserRow) => at?.getTime() ?? 0;
  const newestFirst = claims
    .filter(({ confirmed_at }) => confirmed_at === null)
    .sort((one, other) => sentAt(other) - sentAt(one));
  const isHere = ({ registered_on: device }: UserRow) => deviceHash !== null && (device?.equals(deviceHash) ?? false);
  return newestFirst.find(isHere) ?? claims.find(isHere) ?? newestFirst[0] ?? claims[0];
}

/**
 * Returns the possible recipients for the code of a pending registration, or none. A registration by phone can be
 * confirmed only by phone: only that number proves that the one who registered can be reached.
 */
function choosePending(service: AuthService, email: string, user: UserRow | undefined): readonly PendingCode[] {
  if (user === undefined || user.confirmed_at !== null || isBanned(user, service.now())) return [];
  const { registration_phone: phone } = user;
  const destinations = chooseRecipients(service, email, phone === null ? {} : { phone });
  const channel = phone === null ? 'email' : 'sms';
  return destinations
    .filter((destination) => destination.channel === channel)
    .map((destination) => ({ userId: user.id, tokenType: 'confirmation', ...destination }));
}

/**
 * Returns whether a registration by phone has no usable code and gets none now. Only the browser that registered learns
 * this: it knows of the registration already, and a new one from there gets its code by email.
 */
async function hasNoUsableCode(
  service: AuthService,
  { id: userId, registration_phone: recipient, registered_on: device }: UserRow,
  { email, deviceHash }: { readonly email: string; readonly deviceHash: Buffer | null },
): Promise<boolean> {
  if (recipient === null || deviceHash === null || !device?.equals(deviceHash)) return false;
  if (await areGuessesUsedUp(service, email)) return true;
  return !(await hasLivingCode(service, { userId, recipient, tokenType: 'confirmation' }));
}

/** The account was confirmed by phone, and its address is still unproved. */
async function askForProof(
  service: AuthService,
  { id, claimed_email: email }: UserRow,
  client: string,
): Promise<Sending> {
  if (email === null) return null;
  const message = { channel: 'email', recipient: email, tokenType: 'address_proof', isProved: false } as const;
  const taken = await takeMessageAllowance(service, { ...message, account: email, userId: id, client });
  if (taken === null) return null;
  return () => sendWithin(service, taken.allowance, () => sendAddressProof(service, { userId: id, address: email }));
}
