import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { saltOfAddress } from './address-salt.ts';
import { answerUniformly } from './answer-uniformly.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect, type Redirect } from './choose-redirect.ts';
import { giveBackRequestGap, takeOrRefuse, takeRequestGap } from './code-allowance.ts';
import { markAsker } from './code-guesses.ts';
import { putCode } from './code-queries.ts';
import { requireAcceptableAddress } from './email-address.ts';
import { markDevice } from './known-device.ts';
import { bindsToProofKey } from './mail-link.ts';
import { sendWithin, takeMessageAllowance } from './message-allowance.ts';
import { requireAcceptablePassword } from './password-rules.ts';
import { readBody } from './read-body.ts';
import { type Registration, registerAccount } from './register-account.ts';
import { sendAccountExists } from './send-account-exists.ts';
import { type CodeMessage, chooseRecipients, type Destination, sendCode } from './send-code.ts';
import { signInAnonymously } from './sign-in-anonymously.ts';
import { signUpConfirmed } from './sign-up-confirmed.ts';
import { readMetadata } from './sign-up-data.ts';
import { toUserObject, type UserObject, type UserRow } from './user-object.ts';
import { findUser, findUserByEmail } from './user-queries.ts';
import { challenge, data, requireWellFormedChallenge, text } from './wire-fields.ts';

const signUpBody = v.object({ email: text, phone: text, password: text, data, ...challenge });

/** `POST /signup`: an unconfirmed account and a code on its way to whoever claims it; the account, and no session. */
export async function signUp(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, signUpBody);
  if (body.email !== '' && body.phone !== '') throw new AuthError('emailOrPhoneOnlyOnSignUp');
  if (!service.config.signUps) throw new AuthError('signUpsOff');
  if (body.email === '' && body.phone === '') return signInAnonymously(service, c, readMetadata(body.data));
  if (body.password === '') throw new AuthError('passwordMissing');
  requireAcceptablePassword(service.config, body.password);
  requireWellFormedChallenge(body);
  if (body.phone !== '') throw new AuthError(body.code_challenge === '' ? 'phoneSignUpsOff' : 'phoneWithChallenge');
  const email = requireAcceptableAddress(body.email, service.config.emailDomainDenylist);
  const metadata = readMetadata(body.data);

  await takeOrRefuse(service, 'sign_up_per_address', c.get('clientAddress'));
  const hidden = service.config.hideAccountExistence;
  // Said outright, it may as well be said before the expensive part.
  const known = await findUserByEmail(service.alone, email);
  if (!hidden && known !== undefined) throw new AuthError('userExists');
  const passwordHash = await service.passwords.hash(body.password, await saltOfAddress(service, email));
  const registeredOn = markDevice(service, c);
  const redirect = chooseRedirect(service.config, c.req.query('redirect_to'));
  const challenge = bindsToProofKey(redirect, body.code_challenge) ? body.code_challenge : null;
  markAsker(service, c, email);
  const address = c.get('clientAddress');
  const registration = { email, passwordHash, registeredOn, data: metadata, redirect, challenge, address, known };
  if (hidden) return c.json(await signUpHidden(service, registration));
  if (service.config.emailAutoconfirm)
    return c.json(await signUpConfirmed(service, c, { ...registration, phone: null }));
  return c.json(await signUpOpenly(service, registration));
}

/** A registration, and what becomes of the link in its message. */
interface LinkedRegistration extends Omit<Registration, 'phone'> {
  readonly redirect: Redirect;
  readonly challenge: string | null;
  /** The network address that it comes from. */
  readonly address: string;
  /** The account that the e-mail address has already. */
  readonly known: UserRow | undefined;
}

async function signUpOpenly(service: AuthService, registration: LinkedRegistration): Promise<UserObject> {
  const { email, address } = registration;
  const ways = chooseRecipients(service, email, registration.data);
  const request = { account: email, address, channel: ways[0]?.channel ?? 'email' };
  await takeRequestGap(service, request);
  const common = messageTo(registration);
  const taken = await takeMessageAllowance(service, ...ways.map((way) => ({ ...way, ...common })));
  const registered = await register(service, registration, taken?.way ?? null);
  if (registered === null) throw new AuthError('userExists');
  const { userId, message } = registered;
  if (taken !== null && message !== null) {
    try {
      await sendWithin(service, taken.allowance, () => sendCode(service, message));
    } catch (cause) {
      await giveBackRequestGap(service, request);
      if (taken.way.channel === 'sms') throw new AuthError('codeNotTexted', { cause });
      throw new AuthError('codeNotMailed', { retryAfterSeconds: 5, cause });
    }
  }
  const user = await findUser(service.alone, userId);
  if (user === undefined) throw new Error('The account went away while it was registered.');
  return toUserObject(user);
}

function messageTo({ email, challenge, known }: LinkedRegistration) {
  const common = { tokenType: 'confirmation', isProved: false } as const;
  return { ...common, account: email, userId: known?.id ?? null, isBound: challenge !== null };
}

/** The same answer, at the same moment, for an address with an account and one without; its owner learns by mail. */
async function signUpHidden(service: AuthService, registration: LinkedRegistration): Promise<UserObject> {
  const { email, data: metadata, address, known } = registration;
  await takeRequestGap(service, { account: email, address, channel: 'email' });
  await answerUniformly(service, async () => {
    const taken = await takeMessageAllowance(service, {
      channel: 'email',
      recipient: email,
      ...messageTo(registration),
      isNotice: known !== undefined,
    });
    const registered = await register(service, registration, taken?.way ?? null);
    if (taken === null) return null;
    const message = registered?.message;
    return () =>
      sendWithin(service, taken.allowance, () =>
        message ? sendCode(service, message) : sendAccountExists(service, email),
      );
  });
  return nobody(email, { ...metadata, email, email_verified: false, phone_verified: false }, new Date(service.now()));
}

/**
 * The account of a new registration, and the message about it where one goes out; without one the message before is
 * still good. Null where the address has a confirmed account.
 */
async function register(
  service: AuthService,
  { redirect, challenge, address: _address, known: _known, ...registration }: LinkedRegistration,
  way: Destination | null,
): Promise<{ readonly userId: string; readonly message: CodeMessage | null } | null> {
  return service.database.transactAsService(async (transaction) => {
    // Held back, the message would have gone the first way.
    const [first] = chooseRecipients(service, registration.email, registration.data);
    const asked = way ?? first;
    const phone = asked?.channel === 'sms' ? asked.recipient : null;
    const registered = await registerAccount(transaction, { ...registration, phone });
    if (registered.outcome === 'exists') return null;
    const { userId, replacesAnother } = registered;
    if (way === null) return { userId, message: null };
    const { channel, recipient } = way;
    const pending = { userId, tokenType: 'confirmation', channel, recipient, replacesAnother, challenge } as const;
    return { userId, message: { pending, redirect, secrets: await putCode(service, transaction, pending) } };
  });
}

/** The account of nobody (wire contract, section 1.5), made of what was asked and of nothing in the database. */
function nobody(email: string, metadata: object, at: Date): UserObject {
  const time = at.toISOString();
  const id = randomUUID();
  return {
    id,
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: time,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { ...metadata, sub: id },
    identities: [],
    created_at: time,
    updated_at: time,
    is_anonymous: false,
  };
}
