import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { answerOfPeek } from '#server/http/limit-peek.ts';
import { AuthError, type Refusal } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { refuseUnlessAllowed } from './code-allowance.ts';
import { normalizeAddress } from './email-address.ts';
import { type AccountToSignIn, findAccountToSignIn } from './find-account-to-sign-in.ts';
import { deviceHashOf } from './known-device.ts';
import { describeSession, openSession } from './open-session.ts';
import { describeWeakness, isTooLong, weaknessOf } from './password-rules.ts';
import { requirePhoneDigits } from './phone-number.ts';
import { readBody } from './read-body.ts';
import { countWrongPassword, signInCounters } from './sign-in-guesses.ts';
import { isBanned } from './user-object.ts';
import { text } from './wire-fields.ts';

const passwordBody = v.object({ email: text, phone: text, password: text });

/** `POST /token?grant_type=password`. Unknown, wrong and too long cost the same and are answered with the same words. */
export async function signInWithPassword(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const body = await readBody(c, passwordBody);
  if (body.email !== '' && body.phone !== '') throw new AuthError('emailOrPhoneOnlyOnLogin');
  if (body.email === '' && body.phone === '') throw new AuthError('emailOrPhoneMissingOnLogin');
  const name =
    body.email === ''
      ? ({ by: 'phone', value: requirePhoneDigits(body.phone) } as const)
      : ({ by: 'email', value: normalizeAddress(body.email) } as const);
  const deviceHash = deviceHashOf(service, c);
  const { limits } = service;
  const { onKnownDevice, elsewhere } = signInCounters(service, {
    account: name.value,
    password: body.password,
    address: c.get('clientAddress'),
    deviceHash,
  });
  const guesses = { onKnownDevice: limits.peekAt(...onKnownDevice), elsewhere: limits.peekAt(...elsewhere) };
  const found = await findAccountToSignIn(service.alone, { ...name, deviceHash, guesses });
  const here = found.accounts.filter((account) => account.onKnownDevice);
  const others = found.accounts.filter((account) => !account.onKnownDevice);
  // A device counts for the accounts that know it alone: the others are tried only while guesses from elsewhere may be.
  const triesOthers = here.length === 0 || (others.length > 0 && found.againElsewhere === null);
  if (here.length > 0) refuseUnlessAllowed(answerOfPeek(guesses.onKnownDevice, found.againOnKnownDevice));
  else refuseUnlessAllowed(answerOfPeek(guesses.elsewhere, found.againElsewhere));
  const tried = triesOthers ? [...here, ...others] : here;
  const counters = [...(here.length > 0 ? onKnownDevice : []), ...(triesOthers ? elsewhere : [])];

  const user = await findByPassword(service, body.password, tried);
  if (user === undefined) {
    await countWrongPassword(service, counters, tried[0]?.id ?? null);
    throw new AuthError('invalidCredentials');
  }
  // The counts are asked once more, here or as the session begins, so that of many guesses at once the one that is right
  // says so only while failing was still allowed.
  const refusal = whyRefused(service, user);
  if (refusal !== null) {
    refuseUnlessAllowed(await limits.peek(...counters));
    throw new AuthError(refusal);
  }

  const { id: userId, encrypted_password: provedHash } = user;
  const begun = await openSession(service, service.alone, {
    userId,
    method: 'password',
    c,
    guesses: limits.peekAt(...counters),
    ...(provedHash !== null && { provedHash }),
  });
  if (begun === undefined) throw new AuthError('invalidCredentials');
  const session = describeSession(service, begun.user, begun.opened);
  const weakness = weaknessOf(service.config, body.password);
  if (weakness === null) return c.json(session);
  // Chosen when the rules were other ones: its owner may come in, and is told.
  const { message, weakPasswordReasons: reasons } = describeWeakness(weakness);
  return c.json({ ...session, weak_password: { message, reasons } });
}

/** The first account that has the password. It hashes once, whether there is none, one, or several with one salt. */
async function findByPassword(
  { passwords }: Pick<AuthService, 'passwords'>,
  password: string,
  accounts: readonly AccountToSignIn[],
): Promise<AccountToSignIn | undefined> {
  const withPassword = accounts.filter(({ encrypted_password: hash }) => hash !== null);
  // What no account can have is compared as nobody's password, in the same time.
  if (isTooLong(password) || withPassword.length < 2) {
    const [only] = withPassword;
    const tooLong = isTooLong(password);
    const hash = tooLong ? null : (only?.encrypted_password ?? null);
    return (await passwords.matches(tooLong ? '' : password, hash)) ? only : undefined;
  }
  const hashes = withPassword.flatMap(({ encrypted_password: hash }) => hash ?? []);
  const found = await passwords.findAmong(password, hashes);
  return found === undefined ? undefined : withPassword.find(({ encrypted_password: hash }) => hash === found);
}

/** What only somebody who knows the password is told; null where they may come in. */
function whyRefused({ config, now }: Pick<AuthService, 'config' | 'now'>, user: AccountToSignIn): Refusal | null {
  if (isBanned(user, now())) return 'userBannedOnLogin';
  if (user.confirmed_at !== null) return null;
  // Whoever registers an address learns whether it had an account if their own password works a moment later.
  return config.hideAccountExistence ? 'invalidCredentials' : 'emailNotConfirmed';
}
