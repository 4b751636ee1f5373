import type { Context } from 'hono';
import * as v from 'valibot';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { AuthError, type Refusal } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { takeOrRefuse } from './code-allowance.ts';
import { type CountedCode, countAttempt, spendCodes } from './code-queries.ts';
import { confirmEmail, confirmPhone, tagAtRegistration } from './confirm-queries.ts';
import { normalizeAddress } from './email-address.ts';
import type { CodePurpose } from './one-time-code.ts';
import { describeSession, type OpenedSession, openSession } from './open-session.ts';
import { readBody } from './read-body.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { findUser, lockUserByEmail } from './user-queries.ts';
import { text } from './wire-fields.ts';

const verifyBody = v.object({ type: text, token: text, token_hash: text, email: text, phone: text });

/**
 * Which pending codes each type may use. The types with none are of flows that no code is ever sent for here, so
 * they are answered as any wrong code is.
 */
const TOKEN_TYPES: Readonly<Record<string, readonly CodePurpose['tokenType'][]>> = {
  signup: ['confirmation'],
  email: ['confirmation', 'sign_in'],
  magiclink: ['sign_in'],
  invite: [],
  recovery: [],
  email_change: [],
  sms: [],
  phone_change: [],
};

type Verified = { readonly user: UserRow; readonly opened: OpenedSession } | { readonly refused: Refusal };

/** `POST /verify`: a right code confirms what it was sent to and opens a session, once. */
export async function verifyOneTimeCode(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { type, token, token_hash: hash, email, phone } = await readBody(c, verifyBody);
  if (type === '') throw new AuthError('verifyTypeMissing');
  const tokenTypes = Object.hasOwn(TOKEN_TYPES, type) ? TOKEN_TYPES[type] : undefined;
  if (tokenTypes === undefined) throw new AuthError('verifyTypeUnknown');
  if (token === '' && hash === '') throw new AuthError('codeOrHashMissing');
  if (hash !== '' && (token !== '' || email !== '' || phone !== '')) throw new AuthError('hashOnly');
  if (hash === '' && (email === '') === (phone === '')) throw new AuthError('emailOrPhoneOnlyOnVerify');

  await takeOrRefuse(service, 'verify_per_address', c.get('clientAddress'));
  // No link that carries a hash has ever been sent.
  if (hash !== '') throw new AuthError('hashRefused');

  const address = normalizeAddress(email);
  // A refusal is a result and no exception: the attempt that it counted must be committed.
  const verified = await service.database.transactAsService(
    async (transaction): Promise<Verified> => verify(service, transaction, { address, token, tokenTypes }),
  );
  if ('refused' in verified) throw new AuthError(verified.refused);
  return c.json(await describeSession(service, verified.user, verified.opened));
}

async function verify(
  service: AuthService,
  transaction: Transaction,
  guess: { readonly address: string; readonly token: string; readonly tokenTypes: readonly string[] },
): Promise<Verified> {
  const now = service.now();
  const { address: email, token, tokenTypes } = guess;
  // The account before its codes, as whoever makes a code does: in the other order each would wait for the other.
  // Sent together, so that an address without an account is answered in the same time.
  const [before, counted] = await Promise.all([
    lockUserByEmail(transaction, email),
    countAttempt(transaction, { email, tokenTypes, now }),
  ]);
  const right = counted.find((code) => service.codes.matches(token, code, code.storedHash));
  if (before === undefined || right === undefined) return { refused: 'codeRefused' };

  await spendCodes(transaction, right.userId);
  if (isBanned(before, now)) return { refused: 'userBanned' };
  await confirm(transaction, before, right, new Date(now));
  const opened = await openSession(service, transaction, { userId: right.userId, method: 'otp' });
  const user = await findUser(transaction, right.userId);
  return user === undefined ? { refused: 'codeRefused' } : { user, opened };
}

/** The code proves what it was sent to. The first proof confirms the account, and so tags the code in its hand. */
async function confirm(transaction: Transaction, user: UserRow, code: CountedCode, at: Date): Promise<void> {
  if (code.channel === 'sms') await confirmPhone(transaction, user.id, code.recipient, at);
  else await confirmEmail(transaction, user.id, at);
  const { qr_id: qrId } = user.raw_user_meta_data;
  if (user.confirmed_at === null && typeof qrId === 'string') await tagAtRegistration(transaction, user.id, qrId);
}
