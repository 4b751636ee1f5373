import type { Context } from 'hono';
import * as v from 'valibot';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { letterTexts } from '#domain/texts/letters/letters.ts';
import { normalizeAddress } from '#server/delivery/email/email-address.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { findRegistrations, registrationOf } from '../accounts/register-account.ts';
import {
  findClaims,
  findUserByEmail,
  isBanned,
  lockAddress,
  lockUser,
  lockUserByEmail,
  type UserRow,
} from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { takeRequestAllowance } from '../codes/code-allowance.ts';
import {
  prepareCode,
  respondUniformly,
  type Sending,
  sendWithin,
  takeMessageAllowance,
} from '../codes/message-allowance.ts';
import type { PendingCode } from '../codes/one-time-code.ts';
import { knownDeviceOf, markDevice, markRequester } from '../sessions/device-cookies.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseLinkTarget } from '../wire/redirects.ts';
import { challenge, readBody, requireWellFormedChallenge, text } from '../wire/request-body.ts';

const recoverBody = v.object({ email: text, ...challenge });

interface RecoveryRequest {
  readonly email: string;
  readonly challenge: string;
  readonly redirectTo: string | undefined;
  readonly deviceHash: Buffer | null;
  /** The client's network address. */
  readonly client: string;
}

/**
 * `POST /recover`: mails a link for setting a new password to an address that an account has proved, or that a pending
 * registration waits to confirm. For an address that is only claimed, the mail says that nothing can be recovered with
 * it. The response is `{}` after the same time for every address.
 */
export async function recoverAccount(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, recoverBody);
  if (body.email === '') throw new AuthError('recoveryNeedsEmail');
  if (!service.config.hasMail) throw new AuthError('mailOff');
  requireWellFormedChallenge(body);
  const email = normalizeAddress(body.email);

  const address = c.get('clientAddress');
  await takeRequestAllowance(service, { account: email, address, channel: 'email', isRecovery: true });
  markRequester(service, c, email);
  const form = {
    email,
    challenge: body.code_challenge,
    redirectTo: c.req.query('redirect_to'),
    deviceHash: markDevice(service, c),
    client: address,
  };
  await respondUniformly(service, () => decide(service, form));
  return c.json({});
}

async function decide(
  service: AuthService,
  { email, challenge, redirectTo, deviceHash, client }: RecoveryRequest,
): Promise<Sending> {
  const { database, alone } = service;
  // Limits are counted before the transaction: inside one, nothing may wait for a second connection.
  const known = await findUserByEmail(alone, email);
  const claims = known === undefined ? await findClaims(alone, email, { deviceHash: null }) : [];
  if (known === undefined && claims.length === 0) return null;
  if (known !== undefined && isBanned(known, service.now())) return null;
  const pendingClaim = claims.find((one) => one.confirmed_at === null && one.registration_phone === null);
  const asked = { channel: 'email', recipient: email } as const;
  const target = chooseLinkTarget(service.config, redirectTo, challenge);
  const taken = await takeMessageAllowance(service, {
    ...asked,
    account: email,
    userId: known?.id ?? pendingClaim?.id ?? null,
    tokenType: 'recovery',
    isProved: known !== undefined,
    client,
    knownDevice: known === undefined ? null : await knownDeviceOf(service, known.id, deviceHash),
    isNotice: known === undefined && pendingClaim === undefined,
    isBound: target.challenge !== null,
  });
  if (taken === null) return null;
  return database.transactAsService(async (transaction) => {
    await lockAddress(transaction, email);
    const user =
      (await lockUserByEmail(transaction, email)) ?? (await lockRegistration(transaction, email, deviceHash));
    if (user === undefined) {
      return () => sendWithin(service, taken.allowance, () => sendNotConfirmed(service, email));
    }
    if (isBanned(user, service.now())) return null;
    const pending: PendingCode = {
      userId: user.id,
      tokenType: 'recovery',
      channel: 'email',
      recipient: email,
      challenge: target.challenge,
      askedOn: deviceHash,
    };
    return prepareCode(service, transaction, taken.allowance, { pending, redirect: target.redirect });
  });
}

/** Accounts that claim the address were confirmed by phone; the reader of the address may own none of them. */
async function sendNotConfirmed({ config, delivery, language }: AuthService, address: string): Promise<void> {
  const { productName: product, publicUrl } = config;
  const content = letterTexts(language).accountMail.notConfirmed({
    product,
    signInUrl: `${publicUrl}/auth?mode=phone`,
    registerUrl: `${publicUrl}/auth?mode=register`,
  });
  await delivery.sendEmail({ to: address, ...composeMail(content, product, language) });
}

/** Returns this browser's own registration of the address, else the oldest, locked. */
async function lockRegistration(
  transaction: Transaction,
  email: string,
  deviceHash: Buffer | null,
): Promise<UserRow | undefined> {
  const waiting = await findRegistrations(transaction, email, null);
  const registered = registrationOf(waiting, deviceHash) ?? waiting[0];
  return registered && lockUser(transaction, registered.id);
}
