import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { answerUniformly, type Sending } from './answer-uniformly.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { findClaims } from './claim-queries.ts';
import { takeRequestAllowance } from './code-allowance.ts';
import { markAsker } from './code-guesses.ts';
import { type PendingCode, putCode } from './code-queries.ts';
import { decideSignInByPhone } from './decide-sign-in-by-phone.ts';
import { requireAcceptableAddress } from './email-address.ts';
import { deviceHashOf, knownDeviceOf, markDevice } from './known-device.ts';
import { bindsToProofKey } from './mail-link.ts';
import { sendWithin, takeMessageAllowance } from './message-allowance.ts';
import { requirePhoneDigits } from './phone-number.ts';
import { readBody } from './read-body.ts';
import { type Registration, registerAccount } from './register-account.ts';
import { chooseProvedRecipient, type Destination, sendCode } from './send-code.ts';
import { type Metadata, readMetadata } from './sign-up-data.ts';
import { requireTextable } from './sms-allowance.ts';
import { isBanned, type UserRow } from './user-object.ts';
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
 * `POST /otp`: a code to sign in with, sent to what the account has proved, or by e-mail one that confirms an account
 * that begins without a password. The answer is `{}` for every address, with an account or without.
 */
export async function requestCode(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, requestCodeBody);
  if (body.email !== '' && body.phone !== '') throw new AuthError('emailOrPhoneOnlyOnOtp');
  if (body.email === '' && body.phone === '') throw new AuthError('emailOrPhoneMissingOnOtp');
  requireChannel(body.channel, body.phone);
  requireWellFormedChallenge(body);
  if (body.phone !== '') return requestCodeByPhone(service, c, body.phone);
  const email = requireAcceptableAddress(body.email, service.config.emailDomainDenylist);
  const metadata = readMetadata(body.data);

  await takeRequestAllowance(service, { account: email, address: c.get('clientAddress'), channel: 'email' });
  markAsker(service, c, email);
  const wish: Wish = {
    email,
    data: metadata,
    createUser: body.create_user && service.config.signUps,
    challenge: body.code_challenge,
    redirectTo: c.req.query('redirect_to'),
    deviceHash: deviceHashOf(service, c),
    registeredOn: markDevice(service, c),
  };
  await answerUniformly(service, () => decide(service, wish));
  return c.json({});
}

/** For the account that has proved the number. Nobody can begin one with it: an account is an e-mail address's. */
async function requestCodeByPhone(service: AuthService, c: Context<AppEnv>, text: string): Promise<Response> {
  if (!service.delivery.hasSms) throw new AuthError('phoneOtpsOff');
  const phone = requirePhoneDigits(text);
  requireTextable(service, phone);
  await takeRequestAllowance(service, { account: phone, address: c.get('clientAddress'), channel: 'sms' });
  markAsker(service, c, phone);
  const wish = { phone, deviceHash: deviceHashOf(service, c) };
  await answerUniformly(service, () => decideSignInByPhone(service, wish));
  return c.json({});
}

interface Wish {
  readonly email: string;
  readonly data: Metadata;
  readonly createUser: boolean;
  readonly challenge: string;
  readonly redirectTo: string | undefined;
  readonly deviceHash: Buffer | null;
  readonly registeredOn: Buffer;
}

async function decide(
  service: AuthService,
  { email, data, createUser, challenge, redirectTo, deviceHash, registeredOn }: Wish,
): Promise<Sending> {
  const { database, now, config } = service;
  const user = await findUserByEmail(service.alone, email);
  if (user === undefined && !createUser) {
    const pending = await findClaims(service.alone, email, { deviceHash: null });
    if (!pending.some(({ confirmed_at, registration_phone }) => confirmed_at === null && registration_phone === null)) {
      return null;
    }
  }
  if (user !== undefined && isBanned(user, now())) return null;

  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
  const asked: Destination | null =
    user === undefined ? { channel: 'email', recipient: email } : chooseProvedRecipient(service, user);
  if (asked === null) return null;
  const redirect = chooseRedirect(config, redirectTo);
  const bound = bindsToProofKey(redirect, challenge) ? challenge : null;
  const isProved = user !== undefined;
  const taken = await takeMessageAllowance(service, {
    ...asked,
    account: email,
    userId: user?.id ?? null,
    tokenType: isProved ? 'sign_in' : 'confirmation',
    isProved,
    knownDevice: user === undefined ? null : await knownDeviceOf(service, user.id, deviceHash),
    isBound: bound !== null,
  });
  if (taken === null) return null;
  return database.transactAsService(async (transaction) => {
    const chosen = await choosePending(service, transaction, user, {
      email,
      passwordHash: null,
      data,
      phone: null,
      registeredOn,
    });
    // Confirmed in between: its owner is signed in already.
    if (chosen?.recipient !== asked.recipient) return null;
    const pending = { ...chosen, challenge: bound };
    const secrets = await putCode(service, transaction, pending);
    return () => sendWithin(service, taken.allowance, () => sendCode(service, { pending, secrets, redirect }));
  });
}

/** An account that has proved the address gets a code to sign in with; any other begins anew, and its code proves it. */
async function choosePending(
  service: AuthService,
  transaction: Transaction,
  known: UserRow | undefined,
  registration: Registration,
): Promise<PendingCode | null> {
  if (known === undefined) {
    const registered = await registerAccount(transaction, registration);
    // Proved in between: its owner is signed in already.
    if (registered.outcome === 'exists') return null;
    const { userId, replacesAnother } = registered;
    const { email: recipient } = registration;
    return { userId, tokenType: 'confirmation', channel: 'email', recipient, replacesAnother };
  }
  const destination = chooseProvedRecipient(service, known);
  return destination && { userId: known.id, tokenType: 'sign_in', ...destination };
}
