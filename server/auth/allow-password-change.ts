import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { takeOrRefuse } from './code-allowance.ts';
import { countAttempt, deleteCodes, lockGuessedAccounts } from './code-queries.ts';
import { isTooLong } from './password-rules.ts';
import type { SignedIn } from './require-session.ts';
import { readSessionStart } from './session-queries.ts';

/** A session this young is proof enough that its owner is there. */
const RECENT_MS = 24 * 3_600_000;

export interface ProofOfPresence {
  readonly currentPassword: string;
  /** The code of `GET /reauthenticate`. */
  readonly nonce: string;
}

/**
 * Whether whoever holds a session may change its password: a session that was left open somewhere must not be enough.
 * A current password that is given must be right, whatever else would do. Throws an AuthError that says what is asked.
 */
export async function allowPasswordChange(
  service: AuthService,
  { user, sessionId }: SignedIn,
  { currentPassword, nonce }: ProofOfPresence,
): Promise<void> {
  const { config, now, passwords } = service;
  const { encrypted_password: current } = user;
  if (currentPassword !== '') {
    const tooLong = isTooLong(currentPassword);
    const matches = await passwords.matches(tooLong ? '' : currentPassword, tooLong ? null : current);
    if (!matches) throw new AuthError('currentPasswordWrong');
    return;
  }
  const session = await readSessionStart(service.alone, sessionId);
  if (session === undefined) throw new AuthError('sessionGone');
  const beganWithPassword = session.amr.some(({ method }) => method === 'password');
  if (config.requireCurrentPassword && current !== null && beganWithPassword) {
    throw new AuthError('currentPasswordMissing');
  }
  if (!config.reauthenticatePasswordChange || now() - session.created_at.getTime() < RECENT_MS) return;
  if (nonce === '') throw new AuthError('reauthenticationNeeded');
  if (!(await spendNonce(service, user.id, nonce))) throw new AuthError('reauthenticationRefused');
}

/** In a transaction of its own: the attempt counts, whatever becomes of the change. */
async function spendNonce(
  { database, codes, limits, now }: AuthService,
  userId: string,
  nonce: string,
): Promise<boolean> {
  const guess = { by: 'id', address: userId, tokenTypes: ['reauthentication'] } as const;
  const failures = ['code_failures_of_sessions', userId] as const;
  await takeOrRefuse({ limits }, ...failures);
  const isRight = await database.transactAsService(async (transaction) => {
    await lockGuessedAccounts(transaction, guess);
    const counted = await countAttempt(transaction, guess, { now: now(), guesser: 'known-device' });
    const right = counted.some((sent) => codes.matches(nonce, sent, sent.storedHash));
    if (right) await deleteCodes(transaction, userId, guess.tokenTypes);
    return right;
  });
  if (isRight) await limits.giveBack(...failures);
  return isRight;
}
