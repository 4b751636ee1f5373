import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { requireAcceptableAddress } from '../accounts/identifier.ts';
import { readMetadata } from '../accounts/metadata.ts';
import { requireAcceptablePassword, saltOfAddress, turnOfAddress } from '../accounts/passwords.ts';
import { correctRegistration, type Registration, registerAccount } from '../accounts/register-account.ts';
import { findUser, findUserByEmail, toUserObject, type UserObject, type UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { gapError, giveBackRequestGap, takeOrRefuse, takeRequestGap, tryRequestGap } from '../codes/code-allowance.ts';
import {
  type MessageAllowance,
  prepareCode,
  respondUniformly,
  type Sending,
  sendWithin,
  takeMessageAllowance,
} from '../codes/message-allowance.ts';
import type { CodeTransport } from '../codes/one-time-code.ts';
import { chooseRecipients, type Destination, sendAccountExists } from '../codes/send-code.ts';
import { markDevice, markRequester } from '../sessions/device-cookies.ts';
import { AuthError } from '../wire/auth-error.ts';
import { chooseLinkTarget, type LinkTarget } from '../wire/redirects.ts';
import { challenge, data, readBody, requireWellFormedChallenge, text } from '../wire/request-body.ts';
import { signInAnonymously, signUpConfirmed } from './signup-with-session.ts';

const signUpBody = v.object({ email: text, phone: text, password: text, data, ...challenge });

/**
 * `POST /signup`: creates an unconfirmed account and sends a code to its recipient. Responds with the account and no
 * session.
 */
export async function signUp(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, signUpBody);
  if (body.email !== '' && body.phone !== '') throw new AuthError('emailOrPhoneOnlyOnSignUp');
  if (!service.config.signUps) throw new AuthError('signUpsOff');
  if (body.email === '' && body.phone === '') return signInAnonymously(service, c, readMetadata(body.data));
  if (body.password === '') throw new AuthError('passwordMissing');
  requireWellFormedChallenge(body);
  if (body.phone !== '') throw new AuthError(body.code_challenge === '' ? 'phoneSignUpsOff' : 'phoneWithChallenge');
  const email = requireAcceptableAddress(body.email, service.config.emailDomainDenylist);
  requireAcceptablePassword(service.config, body.password);
  const metadata = readMetadata(body.data);

  await takeOrRefuse(service, 'sign_up_per_address', c.get('clientAddress'));
  const hidden = service.config.hideAccountExistence;
  // This server reveals existing accounts, so the refusal comes before the expensive hashing.
  const known = await findUserByEmail(service.alone, email);
  if (!hidden && known !== undefined) throw new AuthError('userExists');
  const address = c.get('clientAddress');
  const salt = await saltOfAddress(service, email);
  const passwordHash = await service.passwords.hash(body.password, turnOfAddress(address), salt);
  const registeredOn = markDevice(service, c);
  const target = chooseLinkTarget(service.config, c.req.query('redirect_to'), body.code_challenge);
  markRequester(service, c, email);
  const registration = { email, passwordHash, registeredOn, data: metadata, target, address, known };
  if (hidden) return c.json(await signUpHidden(service, registration));
  if (service.config.emailAutoconfirm)
    return c.json(await signUpConfirmed(service, c, { ...registration, phone: null }));
  return c.json(await signUpOpenly(service, registration));
}

/** A registration, and where the link in its message leads. */
interface LinkedRegistration extends Omit<Registration, 'phone'> {
  readonly target: LinkTarget;
  /** The network address of the client. */
  readonly address: string;
  /** The account that has proved the email address, if any. */
  readonly known: UserRow | undefined;
}

async function signUpOpenly(service: AuthService, registration: LinkedRegistration): Promise<UserObject> {
  const { email, address } = registration;
  const destinations = chooseRecipients(service, email, registration.data);
  const [first = { channel: 'email', recipient: email }] = destinations;
  const request = { account: email, address, ...first };
  const seconds = await tryRequestGap(service, request);
  if (seconds !== null) {
    const corrected = await correctOpenly(service, registration, destinations, seconds);
    if (corrected === null) throw gapError(first.channel, seconds);
    return corrected;
  }
  const common = messageTo(registration);
  const taken = await takeMessageAllowance(service, ...destinations.map((way) => ({ ...way, ...common })));
  const registered = await register(service, registration, taken);
  if (registered === null) throw new AuthError('userExists');
  const { userId, isKept, send } = registered;
  if (taken !== null && send !== null) {
    try {
      await send();
    } catch (cause) {
      await giveBackRequestGap(service, request);
      if (taken.way.channel === 'sms') throw new AuthError('codeNotTexted', { cause });
      throw new AuthError('codeNotMailed', { retryAfterSeconds: 5, cause });
    }
  }
  // Said to the client that registers, and not kept: where no SMS may go, the code goes by email.
  const sentBy = sentByOf(service, (taken?.way ?? first).channel);
  if (!isKept) return decoyUser(registration, new Date(service.now()), sentBy);
  return showRegistered(service, userId, sentBy);
}

/** Says to the client that registers how its code goes: without a mail server, an operator makes a link instead of an email. */
function sentByOf({ config }: AuthService, channel: CodeTransport) {
  return { confirmation_sent_by: channel === 'email' && !config.hasMail ? 'operator' : channel };
}

/** Returns the account of a registration, with what its client learns about the message. */
async function showRegistered(
  { alone }: AuthService,
  userId: string,
  aboutMessage: Readonly<Record<string, unknown>>,
): Promise<UserObject> {
  const user = await findUser(alone, userId);
  if (user === undefined) throw new Error('The account went away while it was registered.');
  return toUserObject({ ...user, raw_app_meta_data: { ...user.raw_app_meta_data, ...aboutMessage } });
}

/**
 * Within the gap after a code was sent: stores corrected details in this browser's registration, which that code
 * confirms, and sends nothing. Returns null where this browser has no registration with such a code.
 */
async function correctOpenly(
  service: AuthService,
  { target: _target, address: _address, known: _known, ...registration }: LinkedRegistration,
  destinations: readonly Destination[],
  seconds: number,
): Promise<UserObject | null> {
  for (const { channel, recipient } of destinations) {
    const phone = channel === 'sms' ? recipient : null;
    const userId = await service.database.transactAsService((transaction) =>
      correctRegistration(transaction, { ...registration, phone }, service.now),
    );
    if (userId === null) continue;
    return showRegistered(service, userId, { ...sentByOf(service, channel), confirmation_resend_seconds: seconds });
  }
  return null;
}

function messageTo({ email, target, known, address: client }: LinkedRegistration) {
  const common = { tokenType: 'confirmation', isProved: false, client } as const;
  return { ...common, account: email, userId: known?.id ?? null, isBound: target.challenge !== null };
}

/**
 * Responds the same, after the same time, whether or not the address has an account. An existing owner is notified by
 * mail.
 */
async function signUpHidden(service: AuthService, registration: LinkedRegistration): Promise<UserObject> {
  const { email, address, known } = registration;
  await takeRequestGap(service, { account: email, address, channel: 'email' });
  await respondUniformly(service, async () => {
    const taken = await takeMessageAllowance(service, {
      channel: 'email',
      recipient: email,
      ...messageTo(registration),
      isNotice: known !== undefined,
    });
    const registered = await register(service, registration, taken);
    if (taken === null) return null;
    return registered?.send ?? (() => sendWithin(service, taken.allowance, () => sendAccountExists(service, email)));
  });
  return decoyUser(registration, new Date(service.now()), sentByOf(service, 'email'));
}

/**
 * Creates the account of a registration, and prepares its message. Without an allowance there is no message, and an
 * earlier one still works. Returns null where the address has a confirmed account.
 */
async function register(
  service: AuthService,
  { target, address: _address, known: _known, ...registration }: LinkedRegistration,
  taken: { readonly way: Destination; readonly allowance: MessageAllowance } | null,
): Promise<{ readonly userId: string; readonly isKept: boolean; readonly send: Sending } | null> {
  return service.database.transactAsService(async (transaction) => {
    // A message that was held back would have gone to the first recipient.
    const [first] = chooseRecipients(service, registration.email, registration.data);
    const asked = taken?.way ?? first;
    const phone = asked?.channel === 'sms' ? asked.recipient : null;
    const registered = await registerAccount(transaction, { ...registration, phone });
    if (registered.outcome === 'exists') return null;
    const { userId, isKept } = registered;
    if (taken === null) return { userId, isKept, send: null };
    const { channel, recipient } = taken.way;
    const { registeredOn: askedOn } = registration;
    const { redirect, challenge } = target;
    const pending = { userId, tokenType: 'confirmation', channel, recipient, challenge, askedOn } as const;
    return { userId, isKept, send: await prepareCode(service, transaction, taken.allowance, { pending, redirect }) };
  });
}

/** Returns a user object without an account, made from the request alone. Nothing in it comes from the database. */
function decoyUser(
  { email, data }: Pick<Registration, 'email' | 'data'>,
  at: Date,
  sentBy: { readonly confirmation_sent_by: string },
): UserObject {
  const time = at.toISOString();
  const id = randomUUID();
  return {
    id,
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: time,
    app_metadata: { provider: 'email', providers: ['email'], ...sentBy },
    user_metadata: { ...data, email, email_verified: false, phone_verified: false, sub: id },
    identities: [],
    created_at: time,
    updated_at: time,
    is_anonymous: false,
  };
}
