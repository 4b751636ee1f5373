import type { Transaction } from '#server/postgres/statement.ts';

/** A security key: its id and its public key (COSE) in base64url, and its newest counter. */
export interface FactorCredential {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
}

/** A row of auth.mfa_factors. */
export interface FactorRow {
  readonly id: string;
  readonly user_id: string;
  readonly factor_type: 'totp' | 'phone' | 'webauthn';
  readonly status: 'verified' | 'unverified';
  readonly friendly_name: string;
  /** Encrypted; null for a phone factor. */
  readonly secret: Buffer | null;
  /** E.164 without the plus; null for a TOTP factor. */
  readonly phone: string | null;
  readonly last_step: string | null;
  /** Of a verified security key; null for all others. */
  readonly credential: FactorCredential | null;
  readonly created_at: Date;
}

/** Lists the factors of an account. Lock the account first where a decision depends on the list. */
export async function listFactors(from: Transaction, userId: string): Promise<FactorRow[]> {
  const { rows } = await from.query<FactorRow>({
    name: 'auth_factors',
    text: `select id, user_id, factor_type, status, friendly_name, secret, phone, last_step, credential, created_at
             from auth.mfa_factors where user_id = $1 order by created_at, id`,
    values: [userId],
  });
  return rows;
}

export async function insertFactor(
  transaction: Transaction,
  factor: Pick<FactorRow, 'id' | 'user_id' | 'factor_type' | 'friendly_name' | 'secret' | 'phone' | 'created_at'>,
): Promise<void> {
  const { id, user_id, factor_type, friendly_name, secret, phone, created_at } = factor;
  await transaction.query({
    name: 'auth_insert_factor',
    text: `insert into auth.mfa_factors (id, user_id, factor_type, friendly_name, secret, phone, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [id, user_id, factor_type, friendly_name, secret, phone, created_at],
  });
}

/** Deletes factors. A trigger lowers the sessions that they had raised to aal2. */
export async function deleteFactors(from: Transaction, ids: readonly string[]): Promise<void> {
  await from.query({
    name: 'auth_delete_factors',
    text: 'delete from auth.mfa_factors where id = any($1)',
    values: [[...ids]],
  });
}

export interface Challenge {
  readonly id: string;
  readonly factorId: string;
  readonly sessionId: string;
  /** Hash of the code sent to a phone; null for a TOTP factor. */
  readonly codeHash: Buffer | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertChallenge(transaction: Transaction, challenge: Challenge): Promise<void> {
  const { id, factorId, sessionId, codeHash, createdAt, expiresAt } = challenge;
  await transaction.query({
    name: 'auth_insert_challenge',
    text: `with over as (
               delete from auth.mfa_challenges where factor_id = $2 and expires_at <= $5
             ), factor as (
               update auth.mfa_factors set last_challenged_at = $5 where id = $2
             )
             insert into auth.mfa_challenges (id, factor_id, session_id, code_hash, created_at, expires_at)
               values ($1, $2, $3, $4, $5, $6)`,
    values: [id, factorId, sessionId, codeHash, createdAt, expiresAt],
  });
}

export interface CountedChallenge {
  readonly code_hash: Buffer | null;
  readonly attempts: number;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Returns the challenge of this factor and session with this attempt counted, or undefined. */
export async function countChallengeAttempt(
  transaction: Transaction,
  named: { readonly id: string; readonly factorId: string; readonly sessionId: string },
): Promise<CountedChallenge | undefined> {
  const { rows } = await transaction.query<CountedChallenge>({
    name: 'auth_count_challenge_attempt',
    text: `update auth.mfa_challenges set attempts = attempts + 1
             where id = $1 and factor_id = $2 and session_id = $3
             returning code_hash, attempts, created_at, expires_at`,
    values: [named.id, named.factorId, named.sessionId],
  });
  return rows[0];
}

/** What a correct response spends or replaces: the time step of a TOTP code, or a security key with its new counter. */
export interface FactorProof {
  readonly step: number | null;
  readonly credential: FactorCredential | null;
}

/** Records that the factor was shown: deletes its challenges and stores what it proved, so that neither can be reused. */
export async function passFactor(
  transaction: Transaction,
  id: string,
  { step, credential }: FactorProof,
): Promise<void> {
  await transaction.query({
    name: 'auth_pass_factor',
    text: `with spent as (delete from auth.mfa_challenges where factor_id = $1)
             update auth.mfa_factors
               set status = 'verified', last_step = coalesce($2, last_step), credential = coalesce($3, credential)
               where id = $1`,
    values: [id, step, credential === null ? null : JSON.stringify(credential)],
  });
}
