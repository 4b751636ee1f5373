import type { Context } from 'hono';
import * as v from 'valibot';
import { composeMail } from '#domain/messages/compose-mail.ts';
import { mailEn } from '#domain/messages/mail-en.ts';
import { makeAddressLinks } from '#server/delivery/address-links.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { answerUniformly, type Sending } from './answer-uniformly.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { takeRequestAllowance } from './code-allowance.ts';
import { markAsker } from './code-guesses.ts';
import { type PendingCode, putCode } from './code-queries.ts';
import { normalizeAddress } from './email-address.ts';
import { deviceHashOf, knownDeviceOf } from './known-device.ts';
import { bindsToProofKey } from './mail-link.ts';
import { sendWithin, takeMessageAllowance } from './message-allowance.ts';
import { readBody } from './read-body.ts';
import { chooseProvedRecipient, type Destination, sendCode } from './send-code.ts';
import { isBanned, type UserRow } from './user-object.ts';
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
 * `POST /recover`: a link to a new password, sent to what the account has proved, or to the address of an account
 * that nobody has confirmed yet. The answer is `{}` for every address, after the same time.
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
  const { database } = service;
  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
  const known = await findUserByEmail(service.alone, email);
  const asked = chooseDestination(service, known);
  if (known === undefined || asked === null) return null;
  const redirect = chooseRedirect(service.config, redirectTo);
  const bound = bindsToProofKey(redirect, challenge) ? challenge : null;
  const taken = await takeMessageAllowance(service, {
    ...asked,
    account: email,
    userId: known.id,
    tokenType: 'recovery',
    isProved: known.confirmed_at !== null,
    knownDevice: await knownDeviceOf(service, known.id, deviceHash),
    isBound: bound !== null,
  });
  if (taken === null) return null;
  return database.transactAsService(async (transaction) => {
    const user = await lockUserByEmail(transaction, email);
    const destination = chooseDestination(service, user);
    // Gone, banned, or reached another way since.
    if (user === undefined || destination?.recipient !== asked.recipient) return null;
    const pending: PendingCode = {
      userId: user.id,
      tokenType: 'recovery',
      ...destination,
      challenge: bound,
    };
    const secrets = await putCode(service, transaction, pending);
    const { id: userId } = user;
    return () =>
      sendWithin(service, taken.allowance, () =>
        Promise.all([
          sendCode(service, { pending, secrets, redirect }),
          destination.channel === 'sms' && sendProveFirst(service, { userId, address: email }),
        ]),
      );
  });
}

/** The address is not proved, so the link went to the phone: whoever waits for a mail is told, and asked. */
async function sendProveFirst(
  service: AuthService,
  owner: { readonly userId: string; readonly address: string },
): Promise<void> {
  const { config, delivery } = service;
  const { proveUrl: link } = await makeAddressLinks(service, owner);
  const { productName: product } = config;
  const content = mailEn.recoveryByPhoneMail({ product, link });
  await delivery.sendEmail({ to: owner.address, ...composeMail(content, product) });
}

function chooseDestination(service: AuthService, user: UserRow | undefined): Destination | null {
  if (user === undefined || user.email === null || isBanned(user, service.now())) return null;
  // What an account that nobody confirmed was registered with is not asked for: whoever reads its mail sets it anew.
  if (user.confirmed_at === null) return { channel: 'email', recipient: user.email };
  return chooseProvedRecipient(service, user);
}
