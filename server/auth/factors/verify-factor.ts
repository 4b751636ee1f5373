import type { Context } from 'hono';
import * as v from 'valibot';
import { ONE_TIME_CODE_TRIES } from '#domain/account/validate-credentials.ts';
import { recordFailure } from '#server/auth/audit-log.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import { type LimitName, ofAccountOrDevice } from '#server/limits/limits.ts';
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
  type FactorProof,
  type FactorRow,
  listFactors,
  passFactor,
} from './factor-queries.ts';
import { raiseSession } from './raise-session.ts';
import { factorCodePurpose, requireFactor } from './require-factor.ts';
import { keyResponse, proveBySecurityKey } from './security-key.ts';
import { matchTotp } from './totp.ts';

const verifyBody = v.object({ challenge_id: text, code: text, webauthn: v.nullish(keyResponse) });

type Verified = { readonly user: UserRow; readonly opened: OpenedSession } | { readonly refused: Refusal };

/**
 * `POST /factors/:id/verify`: raises the session to aal2 with new tokens. The first correct code enables the factor and
 * ends the account's other sessions, which have not shown it.
 */
export async function verifyFactor(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { factor, signedIn } = await requireFactor(service, c);
  const { challenge_id: challengeId, code, webauthn } = await readBody(c, verifyBody);
  if (factor.factor_type === 'webauthn' && !webauthn) throw new AuthError('securityKeyMissing');
  if (factor.factor_type !== 'webauthn' && code === '') throw new AuthError('factorCodeMissing');
  if (!isUuid(challengeId)) throw new AuthError('challengeNotFound');
  // Enabling a factor changes the account and requires a recent proof; an enabled factor is itself a proof.
  if (factor.status === 'unverified') await requireRecentProof(service, signedIn);
  const failures = await failuresOf(service, signedIn);
  // Taken before the code is compared, so that concurrent guesses cannot exceed the limit.
  await takeOrRefuse(service, ...failures);

  // A refusal is a return value and not an exception: the transaction that counted the attempt must commit.
  const verified = await service.database.transactAsService(
    async (transaction): Promise<Verified> =>
      verify(service, transaction, {
        factorId: factor.id,
        challengeId,
        code: code.trim(),
        shown: webauthn ?? null,
        signedIn,
      }),
  );
  if (!('refused' in verified) || !isWrongCode(verified.refused)) {
    await service.limits.giveBack(...failures);
  }
  if ('refused' in verified) throw new AuthError(verified.refused, { detail: challengeId });
  return c.json(describeSession(service, verified.user, verified.opened));
}

async function failuresOf(service: AuthService, { user, sessionId }: SignedIn): Promise<Counter<LimitName>> {
  return ['second_factor_failures', ofAccountOrDevice(user.id, await knownDeviceOfSession(service, sessionId))];
}

interface Attempt {
  readonly factorId: string;
  readonly challengeId: string;
  readonly code: string;
  /** Of a security key. */
  readonly shown: v.InferOutput<typeof keyResponse> | null;
  readonly signedIn: SignedIn;
}

async function verify(
  service: AuthService,
  transaction: Transaction,
  { factorId, challengeId, code, shown, signedIn }: Attempt,
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
  const proof = await prove(service, factor, { challenge, challengeId, code, shown });
  if (proof === null) {
    await recordFailure(transaction, 'second_factor_failed', user.id);
    return { refused: WRONG[factor.factor_type] };
  }

  await passFactor(transaction, factorId, proof);
  if (factor.status === 'unverified') {
    const others = factors.filter(({ id, status }) => id !== factorId && status === 'unverified');
    await deleteFactors(
      transaction,
      others.map(({ id }) => id),
    );
  }
  const opened = await raiseSession(service, transaction, {
    sessionId,
    userId: user.id,
    factorId,
    method: METHODS[factor.factor_type],
    isProof: factor.status === 'verified',
  });
  const raised = opened === undefined ? undefined : await findUser(transaction, user.id);
  return opened === undefined || raised === undefined ? { refused: 'sessionGone' } : { user: raised, opened };
}

/** Returns what a correct response proves, or null for a wrong one. */
async function prove(
  service: AuthService,
  factor: FactorRow,
  {
    challenge,
    challengeId,
    code,
    shown,
  }: Pick<Attempt, 'challengeId' | 'code' | 'shown'> & { readonly challenge: CountedChallenge },
): Promise<FactorProof | null> {
  const { codes, secretBox, now } = service;
  if (factor.factor_type === 'webauthn') {
    const credential = shown && (await proveBySecurityKey(service, factor, { response: shown, challengeId }));
    return credential && { step: null, credential };
  }
  if (factor.secret === null) {
    const sent = challenge.code_hash;
    const isRight = sent !== null && codes.matches(code, factorCodePurpose(factor, challengeId), sent);
    return isRight ? { step: null, credential: null } : null;
  }
  const step = matchTotp(secretBox.open(factor.secret, factor.id), code, now());
  // RFC 6238, section 5.2: a code is accepted once. A code of an earlier step would be a replay too.
  return step === null || step <= Number(factor.last_step ?? -1) ? null : { step, credential: null };
}

const WRONG = { totp: 'totpCodeWrong', phone: 'phoneCodeWrong', webauthn: 'securityKeyWrong' } as const;
const METHODS = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const;

function isWrongCode(refusal: Refusal): boolean {
  return Object.values<Refusal>(WRONG).includes(refusal);
}
