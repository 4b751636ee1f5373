import { AuthError, type Refusal } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { takeOrRefuse } from './code-allowance.ts';
import { countAttempt, deleteCodes, lockGuessedAccounts } from './code-queries.ts';
import { isTooLong } from './password-rules.ts';
import type { SignedIn } from './require-session.ts';
import { noteProof, readSessionProof, type SessionProof } from './session-queries.ts';

/** What a caller may show to prove again who they are. Empty where they show nothing. */
export interface ProofOfPresence {
  readonly currentPassword: string;
  /** The code of `GET /reauthenticate`. */
  readonly nonce: string;
}

const NO_PROOF: ProofOfPresence = { currentPassword: '', nonce: '' };

/**
 * Requires that the holder of a session proved recently who they are: a session that was left open or stolen must not
 * be enough to change what can sign in or recover. Every such endpoint calls this, and functions of the database call
 * `internal.require_recent_proof`; how long a proof is recent stands in `internal.is_recent_proof` alone. A password or
 * code that is given must be right, whatever the session proved before; it counts as a proof from then on. Anonymous
 * accounts have nothing to prove with. Returns what the session has proved.
 * @throws AuthError `proofNeeded` unless another refusal is named, or what is wrong with the proof.
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

/** The same for a new password, with what the operator's settings say about it. */
export async function requireProofForPassword(
  service: AuthService,
  signedIn: SignedIn,
  given: ProofOfPresence,
): Promise<void> {
  const { config, now } = service;
  if (given.currentPassword === '') {
    const session = await readSessionProof(service.alone, signedIn.sessionId, new Date(now()));
    const beganWithPassword = session?.amr.some(({ method }) => method === 'password') ?? false;
    if (config.requireCurrentPassword && signedIn.user.encrypted_password !== null && beganWithPassword) {
      throw new AuthError('currentPasswordMissing');
    }
    if (!config.reauthenticatePasswordChange && given.nonce === '') return;
  }
  await requireRecentProof(service, signedIn, given, 'reauthenticationNeeded');
}

async function requirePassword({ passwords }: AuthService, { user }: SignedIn, password: string): Promise<void> {
  const tooLong = isTooLong(password);
  const matches = await passwords.matches(tooLong ? '' : password, tooLong ? null : user.encrypted_password);
  if (!matches) throw new AuthError('currentPasswordWrong');
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
