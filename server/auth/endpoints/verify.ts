import type { Context } from 'hono';
import * as v from 'valibot';
import { isE164 } from '#domain/account/is-e164.ts';
import { normalizeAddress } from '#server/delivery/email/email-address.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { LimitName } from '#server/limits/limits.ts';
import type { Counter } from '#server/limits/rate-limits.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { typedDigits } from '../accounts/identifier.ts';
import { lockGuessedAccounts } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { takeOrRefuse } from '../codes/code-allowance.ts';
import { takeComparableCodes } from '../codes/comparable-codes.ts';
import { hasProofKey } from '../codes/one-time-code.ts';
import {
  countAttempt,
  type Guess,
  type Guessing,
  knowDeviceOfGuess,
  lockLink,
  noteWrongCode,
  type VerifyType,
  verifyTypeOf,
} from '../codes/redeem-code.ts';
import { finishVerification, type Verified } from '../sessions/accept-token.ts';
import { deviceHashOf, isRequester } from '../sessions/device-cookies.ts';
import { describeSession } from '../sessions/open-session.ts';
import { isOfOffer, proveByOffer } from '../sessions/prove-by-offer.ts';
import { findFinishedSession } from '../sessions/require-session.ts';
import { AuthError } from '../wire/auth-error.ts';
import { readBody, text } from '../wire/request-body.ts';

const verifyBody = v.object({ type: text, token: text, token_hash: text, email: text, phone: text });

/** `POST /verify`: accepts a valid code or link token, once, and opens a session. */
export async function verifyOneTimeCode(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { type, token, token_hash: hash, email, phone } = await readBody(c, verifyBody);
  if (type === '') throw new AuthError('verifyTypeMissing');
  const verifyType = verifyTypeOf(type);
  if (verifyType === undefined) throw new AuthError('verifyTypeUnknown');
  if (token === '' && hash === '') throw new AuthError('codeOrHashMissing');
  if (hash !== '' && (token !== '' || email !== '' || phone !== '')) throw new AuthError('hashOnly');
  if (hash === '' && (email === '') === (phone === '')) throw new AuthError('emailOrPhoneOnlyOnVerify');
  const address = email === '' ? `+${typedDigits(phone)}` : normalizeAddress(email);
  if (phone !== '' && !isE164(address)) throw new AuthError('phoneMalformed');

  await takeOrRefuse(service, 'auth_requests_per_address', `${c.get('clientAddress')} attempts`);
  const verified =
    hash === ''
      ? await verifyCode(service, c, { ...verifyType, address }, token)
      : await verifyLink(service, c, verifyType, hash);
  switch (verified.outcome) {
    case 'refused':
      throw new AuthError(verified.refusal);
    case 'message':
      return c.json({ msg: verified.message, code: '200' });
    case 'session':
      return c.json(describeSession(service, verified.user, verified.opened));
  }
}

/** Throws `tooManyRequests` where the client has no guesses left for this address or number. */
async function verifyCode(service: AuthService, c: Context<AppEnv>, guess: Guess, code: string): Promise<Verified> {
  const deviceHash = deviceHashOf(service, c);
  const { elsewhere, taken: takenOfIdentifier } = await takeGuess(service, c, guess, deviceHash);
  const taken = [...takenOfIdentifier];
  const verified = await service.database.transactAsService(async (transaction): Promise<Verified> => {
    // Lock order: the account before its codes, as where codes are created; the other order could deadlock. Both
    // statements are sent together, so that an address without an account takes the same time.
    const [, counted] = await Promise.all([
      lockGuessedAccounts(transaction, guess),
      countAttempt(transaction, guess, { now: service.now(), deviceHash, elsewhere }),
    ]);
    // The counts of limits have a connection of their own, so this waits for none that a transaction holds.
    const { comparable, taken: takenOfAccounts } = await takeComparableCodes(service, counted, guess.address);
    taken.push(...takenOfAccounts);
    const right = comparable.find((sent) => service.codes.matches(code, sent, sent.storedHash));
    if (right !== undefined) return finishVerification(service, c, transaction, right);
    await noteWrongCode(
      transaction,
      comparable.flatMap(({ userId, onKnownDevice }) => (onKnownDevice ? [] : [userId])),
    );
    // A counted code makes the commit wait for the disk. Without one, this write makes it wait as long.
    if (counted.length === 0) await writeNothing(transaction);
    return { outcome: 'refused', refusal: 'codeRefused' };
  });
  if (verified.outcome === 'refused') service.countWrongGuess();
  else await Promise.all(taken.map((counter) => service.limits.giveBack(...counter)));
  return verified;
}

/** Writes a message that nothing reads, so that the commit takes as long as that of a change. */
async function writeNothing(transaction: Transaction): Promise<void> {
  await transaction.query({
    name: 'auth_write_nothing',
    text: "select from pg_logical_emit_message(true, 'uncounted_guess', '')",
    values: [],
  });
}

async function verifyLink(
  service: AuthService,
  c: Context<AppEnv>,
  { tokenTypes, linkTypes = tokenTypes }: VerifyType,
  hash: string,
): Promise<Verified> {
  const refused: Verified = { outcome: 'refused', refusal: 'hashRefused' };
  // The link is bound to the client that requested it: only exchanging an authorization code, with the verifier, opens
  // its session.
  if (hasProofKey(hash)) return refused;
  // Read before the transaction: inside one, nothing may wait for a second connection.
  const sessionId = (await findFinishedSession(service, c))?.sessionId ?? null;
  return service.database.transactAsService(async (transaction) => {
    if (linkTypes.includes('address_proof') && isOfOffer(hash)) {
      return proveByOffer(service, transaction, hash, sessionId);
    }
    const sent = await lockLink(transaction, { token: hash, tokenTypes: linkTypes, now: service.now() });
    return sent === undefined ? refused : finishVerification(service, c, transaction, sent, sessionId);
  });
}

/**
 * Takes a guess before the code is compared, so that concurrent guesses cannot exceed a limit. The counters are keyed by
 * what was typed, so they reveal no account.
 *
 * A known device counts for the accounts that know it. The codes of the other accounts are compared only while the
 * limits on unknown devices allow it. Throws `tooManyRequests` where nothing may be compared.
 */
async function takeGuess(
  service: AuthService,
  c: Context<AppEnv>,
  guess: Guess,
  device: Buffer | null,
): Promise<Pick<Guessing, 'elsewhere'> & { readonly taken: readonly Counter<LimitName>[] }> {
  const elsewhere = isRequester(service, c, guess.address) ? 'requesting-browser' : 'stranger';
  const counterElsewhere: Counter<LimitName> = [
    elsewhere === 'requesting-browser' ? 'code_failures_of_askers' : 'code_failures_of_strangers',
    guess.address,
  ];
  const known = device === null ? 'none' : await knowDeviceOfGuess(service.alone, guess, device);
  if (device === null || known === 'none') {
    await takeOrRefuse(service, ...counterElsewhere);
    return { elsewhere, taken: [counterElsewhere] };
  }
  const onKnownDevice: Counter<LimitName> = ['code_failures_per_account', `${guess.address} ${device.toString('hex')}`];
  await takeOrRefuse(service, ...onKnownDevice);
  if (known === 'all' || !(await service.limits.take(...counterElsewhere)).allowed) {
    return { elsewhere: null, taken: [onKnownDevice] };
  }
  return { elsewhere, taken: [onKnownDevice, counterElsewhere] };
}
