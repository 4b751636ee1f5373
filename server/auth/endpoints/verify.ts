import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { takeOrRefuse } from './code-allowance.ts';
import { guesserOf } from './code-guesses.ts';
import { countAttempt, type Guess, lockGuessedAccounts, lockLink, noteWrongCode } from './code-queries.ts';
import { normalizeAddress } from './email-address.ts';
import { finishVerification, type Verified } from './finish-verification.ts';
import { hasProofKey } from './link-token.ts';
import { describeSession } from './open-session.ts';
import { readBody } from './read-body.ts';
import { type VerifyType, verifyTypeOf } from './verify-types.ts';
import { text } from './wire-fields.ts';

const verifyBody = v.object({ type: text, token: text, token_hash: text, email: text, phone: text });

/** `POST /verify`: a right code, or the token of a link, does what it was sent for and opens a session, once. */
export async function verifyOneTimeCode(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { type, token, token_hash: hash, email, phone } = await readBody(c, verifyBody);
  if (type === '') throw new AuthError('verifyTypeMissing');
  const verifyType = verifyTypeOf(type);
  if (verifyType === undefined) throw new AuthError('verifyTypeUnknown');
  if (token === '' && hash === '') throw new AuthError('codeOrHashMissing');
  if (hash !== '' && (token !== '' || email !== '' || phone !== '')) throw new AuthError('hashOnly');
  if (hash === '' && (email === '') === (phone === '')) throw new AuthError('emailOrPhoneOnlyOnVerify');

  await takeOrRefuse(service, 'verify_per_address', c.get('clientAddress'));
  const address = email === '' ? `+${phone.replace(/[+\s]/g, '')}` : normalizeAddress(email);
  const verified =
    hash === ''
      ? await verifyCode(service, c, { ...verifyType, address }, token)
      : await service.database.transactAsService((transaction) =>
          verifyLink(service, c, transaction, verifyType, hash),
        );
  switch (verified.outcome) {
    case 'refused':
      throw new AuthError(verified.refusal);
    case 'message':
      return c.json({ msg: verified.message, code: '200' });
    case 'session':
      return c.json(describeSession(service, verified.user, verified.opened));
  }
}

/** Throws `tooManyRequests` where whoever guesses has no guess left at this address or number. */
async function verifyCode(service: AuthService, c: Context<AppEnv>, guess: Guess, code: string): Promise<Verified> {
  const { guesser, counter } = await guesserOf(service, c, guess);
  // Taken before the code is looked at, so that of many guesses at once no more than the allowed ones are.
  await takeOrRefuse(service, ...counter);
  const verified = await service.database.transactAsService(async (transaction): Promise<Verified> => {
    // The account before its codes, as whoever makes a code does: in the other order each would wait for the other.
    // Sent together, so that an address without an account is answered in the same time.
    const [, counted] = await Promise.all([
      lockGuessedAccounts(transaction, guess),
      countAttempt(transaction, guess, { now: service.now(), guesser }),
    ]);
    const right = counted.find((sent) => service.codes.matches(code, sent, sent.storedHash));
    if (right !== undefined) return finishVerification(service, c, transaction, right);
    if (guesser !== 'known-device')
      await noteWrongCode(
        transaction,
        counted.map(({ userId }) => userId),
      );
    return { outcome: 'refused', refusal: 'codeRefused' };
  });
  if (verified.outcome !== 'refused') await service.limits.giveBack(...counter);
  return verified;
}

async function verifyLink(
  service: AuthService,
  c: Context<AppEnv>,
  transaction: Transaction,
  { tokenTypes, linkTypes = tokenTypes }: VerifyType,
  hash: string,
): Promise<Verified> {
  const refused: Verified = { outcome: 'refused', refusal: 'hashRefused' };
  // Bound to the client that asked: only the exchange of a code, with the verifier, opens its session.
  if (hasProofKey(hash)) return refused;
  const sent = await lockLink(transaction, { token: hash, tokenTypes: linkTypes, now: service.now() });
  return sent === undefined ? refused : finishVerification(service, c, transaction, sent);
}
