import type { Context } from 'hono';
import * as v from 'valibot';
import { describeDevice } from '#domain/account/describe-device.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { requireAcceptableAddress, requirePhoneDigits } from '../accounts/identifier.ts';
import { type Metadata, readMetadata } from '../accounts/metadata.ts';
import { findRegistrations, type Registration, registerAccount, registrationOf } from '../accounts/register-account.ts';
import { findClaims, findUserByEmail, isBanned, lockAddress, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { takeRequestAllowance } from '../codes/code-allowance.ts';
import { prepareCode, respondUniformly, type Sending, takeMessageAllowance } from '../codes/message-allowance.ts';
import type { PendingCode } from '../codes/one-time-code.ts';
import { chooseProvedRecipient, type Destination } from '../codes/send-code.ts';
import { requireTextable } from '../codes/sms-allowance.ts';
import { deviceHashOf, knownDeviceOf, markDevice, markRequester } from '../sessions/device-cookies.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseLinkTarget } from '../wire/redirects.ts';
import {
  challenge,
  data,
  flag,
  readBody,
  requireChannel,
  requireWellFormedChallenge,
  text,
} from '../wire/request-body.ts';
import { decideSignInByPhone } from './decide-sign-in-by-phone.ts';

const requestCodeBody = v.object({
  email: text,
  phone: text,
  channel: text,
  create_user: flag(true),
  data,
  ...challenge,
});

/**
 * `POST /otp`: sends a sign-in code to a proved recipient of the account, or emails a code that confirms a new account
 * without a password. The response is `{}` whether or not the address has an account.
 */
export async function requestCode(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, requestCodeBody);
  if (body.email !== '' && body.phone !== '') throw new AuthError('emailOrPhoneOnlyOnOtp');
  if (body.email === '' && body.phone === '') throw new AuthError('emailOrPhoneMissingOnOtp');
  requireChannel(body.channel, body.phone);
  requireWellFormedChallenge(body);
  if (body.phone !== '') return requestCodeByPhone(service, c, body.phone);
  if (!service.config.hasMail) throw new AuthError('mailOff');
  const email = requireAcceptableAddress(body.email, service.config.emailDomainDenylist);
  const metadata = readMetadata(body.data);

  await takeRequestAllowance(service, { account: email, address: c.get('clientAddress'), channel: 'email' });
  markRequester(service, c, email);
  const form: CodeRequestForm = {
    email,
    data: metadata,
    createUser: body.create_user && service.config.signUps,
    challenge: body.code_challenge,
    redirectTo: c.req.query('redirect_to'),
    deviceHash: deviceHashOf(service, c),
    registeredOn: markDevice(service, c),
    client: c.get('clientAddress'),
    device: describeDevice(c.req.header('user-agent') ?? ''),
  };
  await respondUniformly(service, () => decide(service, form));
  return c.json({});
}

/** Sends a code to an account that has proved the number. Accounts cannot be created by phone number alone. */
async function requestCodeByPhone(service: AuthService, c: Context<AppEnv>, text: string): Promise<Response> {
  if (!service.delivery.hasSms) throw new AuthError('phoneOtpsOff');
  const phone = requirePhoneDigits(text);
  requireTextable(service, phone);
  await takeRequestAllowance(service, { account: phone, address: c.get('clientAddress'), channel: 'sms' });
  markRequester(service, c, phone);
  const form = { phone, deviceHash: markDevice(service, c) };
  await respondUniformly(service, () => decideSignInByPhone(service, form));
  return c.json({});
}

interface CodeRequestForm {
  readonly email: string;
  readonly data: Metadata;
  readonly createUser: boolean;
  readonly challenge: string;
  readonly redirectTo: string | undefined;
  readonly deviceHash: Buffer | null;
  readonly registeredOn: Buffer;
  /** The client's network address. */
  readonly client: string;
  /** The client's device in words. */
  readonly device: string;
}

async function decide(
  service: AuthService,
  { email, data, createUser, challenge, redirectTo, deviceHash, registeredOn, client, device }: CodeRequestForm,
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

  // Limits are counted before the transaction: inside one, nothing may wait for a second connection.
  const asked: Destination | null =
    user === undefined ? { channel: 'email', recipient: email } : chooseProvedRecipient(service, user);
  if (asked === null) return null;
  const target = chooseLinkTarget(config, redirectTo, challenge);
  const isProved = user !== undefined;
  const taken = await takeMessageAllowance(service, {
    ...asked,
    account: email,
    userId: user?.id ?? null,
    tokenType: isProved ? 'sign_in' : 'confirmation',
    isProved,
    client,
    knownDevice: user === undefined ? null : await knownDeviceOf(service, user.id, deviceHash),
    isBound: target.challenge !== null,
  });
  if (taken === null) return null;
  return database.transactAsService(async (transaction) => {
    const chosen = await choosePending(service, transaction, user, {
      email,
      passwordHash: null,
      data,
      phone: null,
      registeredOn,
      createUser,
    });
    // The account was confirmed in between: its owner is already signed in.
    if (chosen?.recipient !== asked.recipient) return null;
    const pending = { ...chosen, challenge: target.challenge, askedOn: registeredOn };
    return prepareCode(service, transaction, taken.allowance, { pending, redirect: target.redirect, device });
  });
}

/**
 * An account that has proved the address gets a sign-in code. Otherwise an account is registered, and its code proves
 * the address. Without `createUser` the code is for a registration that is there.
 */
async function choosePending(
  service: AuthService,
  transaction: Transaction,
  known: UserRow | undefined,
  { createUser, ...registration }: Registration & { readonly createUser: boolean },
): Promise<PendingCode | null> {
  if (known === undefined) {
    const { email } = registration;
    const confirmation = { tokenType: 'confirmation', channel: 'email', recipient: email } as const;
    if (!createUser) {
      await lockAddress(transaction, email);
      const waiting = await findRegistrations(transaction, email, null);
      const again = registrationOf(waiting, registration.registeredOn) ?? waiting.at(-1);
      return again === undefined ? null : { ...confirmation, userId: again.id };
    }
    const registered = await registerAccount(transaction, registration);
    // The address was proved in between: its owner is already signed in.
    if (registered.outcome === 'exists') return null;
    return { ...confirmation, userId: registered.userId };
  }
  const destination = chooseProvedRecipient(service, known);
  return destination && { userId: known.id, tokenType: 'sign_in', ...destination };
}
