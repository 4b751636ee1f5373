import { isTooLong, turnOfAccount } from '../accounts/passwords.ts';
import { lockGuessedAccounts } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { takeOrRefuse } from '../codes/code-allowance.ts';
import { deleteCodes } from '../codes/one-time-code.ts';
import { countAttempt } from '../codes/redeem-code.ts';
import { AuthError, type Refusal } from '../wire/auth-error.ts';
import type { SignedIn } from './require-session.ts';
import { noteProof, readSessionProof, type SessionProof } from './session-queries.ts';

/** What a caller may present to prove their identity again. Empty fields where nothing is presented. */
interface ProofOfPresence {
  readonly currentPassword: string;
  /** The code of `GET /reauthenticate`. */
  readonly nonce: string;
}

const NO_PROOF: ProofOfPresence = { currentPassword: '', nonce: '' };

/**
 * Requires that the holder of a session recently proved their identity. A session left open or stolen must not be
 * enough to change how the account signs in or recovers.
 *
 * Every such endpoint calls this; database functions call `internal.require_recent_proof`. Only
 * `internal.is_recent_proof` defines how long a proof is recent. A password or code that is presented must be correct,
 * whatever the session proved before, and counts as a new proof. Anonymous accounts have nothing to prove. Returns the
 * state of the session's proof.
 *
 * @throws AuthError `proofNeeded` (or `refusal`) without a recent proof; otherwise the error of the presented proof.
 */
export async function requireRecentProof(
  service: AuthService,
  signedIn: SignedIn,
  given: ProofOfPresence = NO_PROOF,
  refusal: Refusal = 'proofNeeded',
): Promise<SessionProof> {
  const { user, sessionId } = signedIn;
  const at = new Date(service.now());
  const isGiven = given.currentPassword !== '' || given.nonce !== '';
  if (given.currentPassword !== '') await requirePassword(service, signedIn, given.currentPassword);
  else if (given.nonce !== '' && !(await spendNonce(service, user.id, given.nonce))) {
    throw new AuthError('reauthenticationRefused');
  }
  if (isGiven) await noteProof(service.alone, sessionId, at);
  const proof = await readSessionProof(service.alone, sessionId, at);
  if (proof === undefined) throw new AuthError('sessionGone');
  if (!proof.isRecent && !user.is_anonymous) throw new AuthError(refusal);
  return proof;
}

async function requirePassword({ passwords }: AuthService, { user }: SignedIn, password: string): Promise<void> {
  const tooLong = isTooLong(password);
  const stored = tooLong ? null : user.encrypted_password;
  const matches = await passwords.matches(tooLong ? '' : password, stored, turnOfAccount(user.id));
  if (!matches) throw new AuthError('currentPasswordWrong');
}

/** Runs in a transaction of its own: the attempt counts even where the change is refused. */
async function spendNonce(
  { database, codes, limits, now }: AuthService,
  userId: string,
  nonce: string,
): Promise<boolean> {
  const guess = { by: 'id', address: userId, tokenTypes: ['reauthentication'] } as const;
  const failures = ['code_failures_per_account', `session ${userId}`] as const;
  await takeOrRefuse({ limits }, ...failures);
  const isRight = await database.transactAsService(async (transaction) => {
    await lockGuessedAccounts(transaction, guess);
    const counted = await countAttempt(transaction, guess, {
      now: now(),
      inSession: true,
      deviceHash: null,
      elsewhere: null,
    });
    const right = counted.some((sent) => codes.matches(nonce, sent, sent.storedHash));
    if (right) await deleteCodes(transaction, userId, guess.tokenTypes);
    return right;
  });
  if (isRight) await limits.giveBack(...failures);
  return isRight;
}
