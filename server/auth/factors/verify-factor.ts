import type { Context } from 'hono';
import * as v from 'valibot';
import { ONE_TIME_CODE_TRIES } from '#domain/account/validate-credentials.ts';
import { recordFailure } from '#server/auth/audit-log.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import type { LimitName } from '#server/limits/limits.ts';
import type { Counter } from '#server/limits/rate-limits.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import type { UserRow } from '../accounts/user.ts';
import { findUser, lockUser } from '../accounts/user.ts';
import { takeOrRefuse } from '../codes/code-allowance.ts';
import { knownDeviceOfSession } from '../sessions/device-cookies.ts';
import { describeSession, type OpenedSession } from '../sessions/open-session.ts';
import { requireRecentProof } from '../sessions/require-recent-proof.ts';
import type { SignedIn } from '../sessions/require-session.ts';
import { AuthError, type Refusal } from '../wire/auth-error.ts';
import { readBody, text } from '../wire/request-body.ts';
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
 * `POST /factors/:id/verify`: raises the session to aal2 with new tokens. The first correct code enables the factor and
 * ends the account's other sessions, which have not shown it.
 */
export async function verifyFactor(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { factor, signedIn } = await requireFactor(service, c);
  const { challenge_id: challengeId, code } = await readBody(c, verifyBody);
  if (code === '') throw new AuthError('factorCodeMissing');
  if (!isUuid(challengeId)) throw new AuthError('challengeNotFound');
  // Enabling a factor changes the account and requires a recent proof; an enabled factor is itself a proof.
  if (factor.status === 'unverified') await requireRecentProof(service, signedIn);
  const failures = await failuresOf(service, signedIn);
  // Taken before the code is compared, so that concurrent guesses cannot exceed the limit.
  await takeOrRefuse(service, ...failures);

  // A refusal is a return value and not an exception: the transaction that counted the attempt must commit.
  const verified = await service.database.transactAsService(
    async (transaction): Promise<Verified> =>
      verify(service, transaction, { factorId: factor.id, challengeId, code: code.trim(), signedIn }),
  );
  if (!('refused' in verified) || !isWrongCode(verified.refused)) {
    await service.limits.giveBack(...failures);
  }
  if ('refused' in verified) throw new AuthError(verified.refused, { detail: challengeId });
  return c.json(describeSession(service, verified.user, verified.opened));
}

/** A caller who has only the password uses up the account's limit, never the limit of a known device. */
async function failuresOf(service: AuthService, { user, sessionId }: SignedIn): Promise<Counter<LimitName>> {
  const device = await knownDeviceOfSession(service, sessionId);
  return device === null
    ? ['second_factor_failures_per_account', user.id]
    : ['second_factor_failures_per_known_device', `${user.id} ${device}`];
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
  // Serializes the attempts of an account, so that no code is accepted twice.
  if ((await lockUser(transaction, user.id)) === undefined) return { refused: 'userGone' };
  const factors = await listFactors(transaction, user.id);
  const factor = factors.find(({ id }) => id === factorId);
  const challenge = await countChallengeAttempt(transaction, { id: challengeId, factorId, sessionId });
  if (factor === undefined || challenge === undefined) return { refused: 'challengeNotFound' };
  if (factor.status === 'unverified' && aal === 'aal1' && factors.some(({ status }) => status === 'verified')) {
    return { refused: 'factorNeedsFactor' };
  }
  if (challenge.expires_at.getTime() <= service.now() || challenge.attempts > ONE_TIME_CODE_TRIES) {
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

/** Returns the time step that a correct code spends (null for a phone), or null for a wrong code. */
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
  // RFC 6238, section 5.2: a code is accepted once. A code of an earlier step would be a replay too.
  return step === null || step <= Number(factor.last_step ?? -1) ? null : { step };
}

function isWrongCode(refusal: Refusal): boolean {
  return refusal === 'totpCodeWrong' || refusal === 'phoneCodeWrong';
}
