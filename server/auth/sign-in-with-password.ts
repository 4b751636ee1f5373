import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { normalizeAddress } from './email-address.ts';
import { deviceHashOf } from './known-device.ts';
import { describeSession, openSession } from './open-session.ts';
import { describeWeakness, isTooLong, weaknessOf } from './password-rules.ts';
import { requirePhoneDigits } from './phone-number.ts';
import { readBody } from './read-body.ts';
import { signInGuesses } from './sign-in-guesses.ts';
import { isBanned } from './user-object.ts';
import { type AccountToSignIn, findAccountToSignIn } from './user-queries.ts';
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
  const device = deviceHashOf(service, c);
  const user = await findAccountToSignIn(service.alone, name, device);
  const guesses = signInGuesses(service, {
    account: name.value,
    password: body.password,
    address: c.get('clientAddress'),
    knownDevice: user?.on_known_device ? device : null,
  });

  await guesses.refuseTooMany();
  // What no account can have is compared as nobody's password, in the same time.
  const tooLong = isTooLong(body.password);
  const matches = await service.passwords.matches(
    tooLong ? '' : body.password,
    tooLong ? null : (user?.encrypted_password ?? null),
  );
  if (!matches || user === undefined) {
    await guesses.countFailure(user?.id ?? null);
    throw new AuthError('invalidCredentials');
  }
  // Once more, so that of many guesses at once the one that is right says so only while failing was still allowed.
  await guesses.refuseTooMany();
  requireAllowed(service, user);

  const { id: userId, encrypted_password: provedHash } = user;
  const begun = await openSession(service, service.alone, {
    userId,
    method: 'password',
    c,
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

/** What only somebody who knows the password is told. */
function requireAllowed({ config, now }: Pick<AuthService, 'config' | 'now'>, user: AccountToSignIn): void {
  if (isBanned(user, now())) throw new AuthError('userBannedOnLogin');
  if (user.confirmed_at !== null) return;
  // Whoever registers an address learns whether it had an account if their own password works a moment later.
  throw new AuthError(config.hideAccountExistence ? 'invalidCredentials' : 'emailNotConfirmed');
}
