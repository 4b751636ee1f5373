import type { Context } from 'hono';
import * as v from 'valibot';
import { normalizeAddress } from '#server/delivery/email/email-address.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { verdictOfPeek } from '#server/limits/rate-limits.ts';
import { requirePhoneDigits } from '../accounts/identifier.ts';
import {
  describeWeakness,
  type HashingTurn,
  isTooLong,
  turnOfAccount,
  turnOfAddress,
  weaknessOf,
} from '../accounts/passwords.ts';
import { replaceImportedHash } from '../accounts/replace-imported-hash.ts';
import { isBanned } from '../accounts/user.ts';
import { recordFailure } from '../audit-log.ts';
import type { AuthService } from '../auth-service.ts';
import { refuseUnlessAllowed } from '../codes/code-allowance.ts';
import { deviceHashOf } from '../sessions/device-cookies.ts';
import { type AccountToSignIn, findAccountToSignIn } from '../sessions/find-account-to-sign-in.ts';
import { describeSession, openSession } from '../sessions/open-session.ts';
import { giveBackGuess, signInCounters, takeGuess } from '../sessions/sign-in-guesses.ts';
import { AuthError, type Refusal } from '../wire/auth-error.ts';
import { readBody, text } from '../wire/request-body.ts';

const passwordBody = v.object({ email: text, phone: text, password: text });

/**
 * `POST /token?grant_type=password`. An unknown account, a wrong password and an overlong password take the same time
 * and get the same response.
 */
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
  // A known device counts only for the accounts that know it. The other accounts are tried only while the limits on
  // unknown devices allow it.
  const triesOthers = here.length === 0 || (others.length > 0 && found.againElsewhere === null);
  if (here.length > 0) refuseUnlessAllowed(verdictOfPeek(guesses.onKnownDevice, found.againOnKnownDevice));
  else refuseUnlessAllowed(verdictOfPeek(guesses.elsewhere, found.againElsewhere));
  const tried = triesOthers ? [...here, ...others] : here;
  const counters = [...(here.length > 0 ? onKnownDevice : []), ...(triesOthers ? elsewhere : [])];

  const [known] = here;
  const turn = known === undefined ? turnOfAddress(c.get('clientAddress')) : turnOfAccount(known.id);
  await takeGuess(service, counters);
  let user: AccountToSignIn | undefined;
  try {
    user = await findByPassword(service, body.password, tried, { turn, importedCost: found.importedCost });
  } catch (error) {
    // The queue of the hasher is full.
    await giveBackGuess(service, counters);
    throw error;
  }
  if (user === undefined) {
    service.countWrongGuess();
    await recordFailure(service.alone, 'sign_in_failed', tried[0]?.id ?? null);
    throw new AuthError('invalidCredentials');
  }
  const givenBack = giveBackGuess(service, counters);
  const refusal = whyRefused(service, user);
  if (refusal !== null) {
    await givenBack;
    throw new AuthError(refusal);
  }

  const { id: userId } = user;
  const provedHash = await replaceImportedHash(service, user, { password: body.password, turn });
  const signIn = { userId, method: 'password', c, ...(provedHash !== null && { provedHash }) } as const;
  const [begun] = await Promise.all([openSession(service, service.alone, signIn), givenBack]);
  if (begun === undefined) throw new AuthError('invalidCredentials');
  const session = describeSession(service, begun.user, begun.opened);
  const weakness = weaknessOf(service.config, body.password);
  if (weakness === null) return c.json(session);
  // The password was chosen under earlier rules: the owner may sign in and is notified.
  const { message, weakPasswordReasons: reasons } = describeWeakness(weakness);
  return c.json({ ...session, weak_password: { message, reasons } });
}

/**
 * Returns the first account with this password. Hashes once, whether there are no accounts, one, or several with a
 * shared salt. While an account here has an imported bcrypt hash, each sign-in takes the time of bcrypt in addition.
 */
async function findByPassword(
  { passwords }: Pick<AuthService, 'passwords'>,
  password: string,
  accounts: readonly AccountToSignIn[],
  { turn, importedCost }: { readonly turn: HashingTurn; readonly importedCost: number | null },
): Promise<AccountToSignIn | undefined> {
  const withPassword = accounts.filter(({ encrypted_password: hash }) => hash !== null);
  // A password that no account can have is compared with the decoy hash, which takes the same time.
  if (isTooLong(password) || withPassword.length < 2) {
    const [only] = withPassword;
    const tooLong = isTooLong(password);
    const hash = tooLong ? null : (only?.encrypted_password ?? null);
    return (await passwords.matches(tooLong ? '' : password, hash, turn, importedCost)) ? only : undefined;
  }
  const hashes = withPassword.flatMap(({ encrypted_password: hash }) => hash ?? []);
  const found = await passwords.findAmong(password, hashes, turn, importedCost);
  return found === undefined ? undefined : withPassword.find(({ encrypted_password: hash }) => hash === found);
}

/** Returns a refusal that only a client with the correct password may see, or null where it may sign in. */
function whyRefused({ config, now }: Pick<AuthService, 'config' | 'now'>, user: AccountToSignIn): Refusal | null {
  if (isBanned(user, now())) return 'userBannedOnLogin';
  if (user.confirmed_at !== null) return null;
  // A different response here would reveal to someone who registers an address whether it had an account before.
  return config.hideAccountExistence ? 'invalidCredentials' : 'emailNotConfirmed';
}
