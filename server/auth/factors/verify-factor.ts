import type { Context } from 'hono';
import * as v from 'valibot';
import { recordFailure } from '#server/auth/audit-log.ts';
import { AuthError, type Refusal } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { takeOrRefuse } from '#server/auth/code-allowance.ts';
import { CODE_ATTEMPTS } from '#server/auth/one-time-code.ts';
import { describeSession, type OpenedSession } from '#server/auth/open-session.ts';
import { readBody } from '#server/auth/read-body.ts';
import { requireRecentProof } from '#server/auth/require-recent-proof.ts';
import type { SignedIn } from '#server/auth/require-session.ts';
import type { UserRow } from '#server/auth/user-object.ts';
import { findUser, lockUser } from '#server/auth/user-queries.ts';
import { text } from '#server/auth/wire-fields.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import {
  type CountedChallenge,
  countChallengeAttempt,
  deleteFactors,
  type FactorRow,
  listFactors,
  passFactor,
} from './factor-queries.ts';
import { raiseSession } from './raise-session.ts';
import { factorCodePurpose, requireFactor } from './require-factor.ts';
import { matchTotp } from './totp.ts';

const verifyBody = v.object({ challenge_id: text, code: text });

type Verified = { readonly user: UserRow; readonly opened: OpenedSession } | { readonly refused: Refusal };

/**
 * `POST /factors/:id/verify`: the session has shown its second factor and is worth aal2 from now on, with new tokens.
 * The first right code makes the factor count, and ends the account's other sessions, which have not shown it.
 */
export async function verifyFactor(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { factor, signedIn } = await requireFactor(service, c);
  const { challenge_id: challengeId, code } = await readBody(c, verifyBody);
  if (code === '') throw new AuthError('factorCodeMissing');
  if (!isUuid(challengeId)) throw new AuthError('challengeNotFound');
  // A factor that begins to count is a change of the account; one that counts is a proof.
  if (factor.status === 'unverified') await requireRecentProof(service, signedIn);
  const failures = 'second_factor_failures_per_account';
  // Taken before the code is looked at, so that of many guesses at once no more than the allowed ones are.
  await takeOrRefuse(service, failures, signedIn.user.id);

  // A refusal is a result and no exception: the attempt that it counted must be committed.
  const verified = await service.database.transactAsService(
    async (transaction): Promise<Verified> =>
      verify(service, transaction, { factorId: factor.id, challengeId, code: code.trim(), signedIn }),
  );
  if (!('refused' in verified) || !isWrongCode(verified.refused)) {
    await service.limits.giveBack(failures, signedIn.user.id);
  }
  if ('refused' in verified) throw new AuthError(verified.refused, { detail: challengeId });
  return c.json(describeSession(service, verified.user, verified.opened));
}

interface Attempt {
  readonly factorId: string;
  readonly challengeId: string;
  readonly code: string;
  readonly signedIn: SignedIn;
}

async function verify(
  service: AuthService,
  transaction: Transaction,
  { factorId, challengeId, code, signedIn }: Attempt,
): Promise<Verified> {
  const { user, sessionId, aal } = signedIn;
  // One attempt of an account after the other, so that no code is used twice.
  if ((await lockUser(transaction, user.id)) === undefined) return { refused: 'userGone' };
  const factors = await listFactors(transaction, user.id);
  const factor = factors.find(({ id }) => id === factorId);
  const challenge = await countChallengeAttempt(transaction, { id: challengeId, factorId, sessionId });
  if (factor === undefined || challenge === undefined) return { refused: 'challengeNotFound' };
  if (factor.status === 'unverified' && aal === 'aal1' && factors.some(({ status }) => status === 'verified')) {
    return { refused: 'factorNeedsFactor' };
  }
  if (challenge.expires_at.getTime() <= service.now() || challenge.attempts > CODE_ATTEMPTS) {
    return { refused: 'challengeExpired' };
  }
  const proof = prove(service, factor, { challenge, challengeId, code });
  if (proof === null) {
    await recordFailure(transaction, 'second_factor_failed', user.id);
    return { refused: factor.factor_type === 'totp' ? 'totpCodeWrong' : 'phoneCodeWrong' };
  }

  await passFactor(transaction, factorId, proof.step);
  if (factor.status === 'unverified') {
    const others = factors.filter(({ id, status }) => id !== factorId && status === 'unverified');
    await deleteFactors(
      transaction,
      others.map(({ id }) => id),
    );
  }
  const method = factor.factor_type === 'totp' ? 'totp' : 'mfa/phone';
  const opened = await raiseSession(service, transaction, {
    sessionId,
    userId: user.id,
    factorId,
    method,
    isProof: factor.status === 'verified',
  });
  const raised = opened === undefined ? undefined : await findUser(transaction, user.id);
  return opened === undefined || raised === undefined ? { refused: 'sessionGone' } : { user: raised, opened };
}

/** What a right code spends, or null for a wrong one. */
function prove(
  { codes, secretBox, now }: AuthService,
  factor: FactorRow,
  { challenge, challengeId, code }: { challenge: CountedChallenge; challengeId: string; code: string },
): { readonly step: number | null } | null {
  if (factor.secret === null) {
    const sent = challenge.code_hash;
    return sent !== null && codes.matches(code, factorCodePurpose(factor, challengeId), sent) ? { step: null } : null;
  }
  const step = matchTotp(secretBox.open(factor.secret, factor.id), code, now());
  // RFC 6238, section 5.2: a code is accepted once. An older one would be a replay as well.
  return step === null || step <= Number(factor.last_step ?? -1) ? null : { step };
}

function isWrongCode(refusal: Refusal): boolean {
  return refusal === 'totpCodeWrong' || refusal === 'phoneCodeWrong';
}
