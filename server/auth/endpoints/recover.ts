import type { Context } from 'hono';
import * as v from 'valibot';
import { composeMail } from '#domain/messages/compose-mail.ts';
import { mailEn } from '#domain/messages/mail-en.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { answerUniformly, type Sending } from './answer-uniformly.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { findClaims, lockPendingRegistration } from './claim-queries.ts';
import { takeRequestAllowance } from './code-allowance.ts';
import { markAsker } from './code-guesses.ts';
import { type PendingCode, putCode } from './code-queries.ts';
import { normalizeAddress } from './email-address.ts';
import { deviceHashOf, knownDeviceOf } from './known-device.ts';
import { bindsToProofKey } from './mail-link.ts';
import { sendWithin, takeMessageAllowance } from './message-allowance.ts';
import { lockAddress } from './prove-email.ts';
import { readBody } from './read-body.ts';
import { sendCode } from './send-code.ts';
import { isBanned } from './user-object.ts';
import { findUserByEmail, lockUserByEmail } from './user-queries.ts';
import { challenge, requireWellFormedChallenge, text } from './wire-fields.ts';

const recoverBody = v.object({ email: text, ...challenge });

interface Wish {
  readonly email: string;
  readonly challenge: string;
  readonly redirectTo: string | undefined;
  readonly deviceHash: Buffer | null;
}

/**
 * `POST /recover`: a link to a new password, sent to an address that an account has proved, or that a registration
 * waits to be confirmed by. An address that is only claimed recovers nothing: its reader is told so. The response is
 * `{}` for every address, after the same time.
 */
export async function recoverAccount(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, recoverBody);
  if (body.email === '') throw new AuthError('recoveryNeedsEmail');
  requireWellFormedChallenge(body);
  const email = normalizeAddress(body.email);

  await takeRequestAllowance(service, { account: email, address: c.get('clientAddress'), channel: 'email' });
  markAsker(service, c, email);
  const wish = {
    email,
    challenge: body.code_challenge,
    redirectTo: c.req.query('redirect_to'),
    deviceHash: deviceHashOf(service, c),
  };
  await answerUniformly(service, () => decide(service, wish));
  return c.json({});
}

async function decide(service: AuthService, { email, challenge, redirectTo, deviceHash }: Wish): Promise<Sending> {
  const { database, alone } = service;
  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
  const known = await findUserByEmail(alone, email);
  const claims = known === undefined ? await findClaims(alone, email, { deviceHash: null }) : [];
  if (known === undefined && claims.length === 0) return null;
  if (known !== undefined && isBanned(known, service.now())) return null;
  const pendingClaim = claims.find((one) => one.confirmed_at === null && one.registration_phone === null);
  const asked = { channel: 'email', recipient: email } as const;
  const redirect = chooseRedirect(service.config, redirectTo);
  const bound = bindsToProofKey(redirect, challenge) ? challenge : null;
  const taken = await takeMessageAllowance(service, {
    ...asked,
    account: email,
    userId: known?.id ?? pendingClaim?.id ?? null,
    tokenType: 'recovery',
    isProved: known !== undefined,
    knownDevice: known === undefined ? null : await knownDeviceOf(service, known.id, deviceHash),
    isNotice: known === undefined && pendingClaim === undefined,
    isBound: bound !== null,
  });
  if (taken === null) return null;
  return database.transactAsService(async (transaction) => {
    await lockAddress(transaction, email);
    const user =
      (await lockUserByEmail(transaction, email)) ?? (await lockPendingRegistration(transaction, email, null));
    if (user === undefined) {
      return () => sendWithin(service, taken.allowance, () => sendNotConfirmed(service, email));
    }
    if (isBanned(user, service.now())) return null;
    const pending: PendingCode = {
      userId: user.id,
      tokenType: 'recovery',
      channel: 'email',
      recipient: email,
      challenge: bound,
    };
    const secrets = await putCode(service, transaction, pending);
    return () => sendWithin(service, taken.allowance, () => sendCode(service, { pending, secrets, redirect }));
  });
}

/** The accounts that claim the address are their phones', and its reader may be nobody's of them. */
async function sendNotConfirmed({ config, delivery }: AuthService, address: string): Promise<void> {
  const { productName: product, publicUrl } = config;
  const content = mailEn.notConfirmedMail({
    product,
    signInUrl: `${publicUrl}/auth?mode=phone`,
    registerUrl: `${publicUrl}/auth?mode=register`,
  });
  await delivery.sendEmail({ to: address, ...composeMail(content, product) });
}
