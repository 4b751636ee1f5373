import type { AuthError, User } from '@supabase/supabase-js';
import type { AppClient } from '#app/client/app-client.ts';

/** A verified second factor of an account. */
export interface SecondFactor {
  readonly id: string;
  readonly kind: 'totp' | 'phone' | 'webauthn';
  /** Null where its owner has not named it. */
  readonly name: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Reads the factors from the service. Throws the auth service's error. */
export async function loadSecondFactors(client: AppClient): Promise<SecondFactor[]> {
  const { data, error } = await client.auth.getUser();
  if (error) throw error;
  return secondFactorsOf(data.user);
}

/** Returns the account's verified factors of the kinds supported here: apps first, then phones, then security
 * keys. */
export function secondFactorsOf({ factors = [] }: User): SecondFactor[] {
  return (['totp', 'phone', 'webauthn'] as const).flatMap((kind) =>
    factors
      .filter(({ factor_type, status }) => factor_type === kind && status === 'verified')
      .map(({ id, friendly_name, created_at }) => ({ id, kind, name: friendly_name ?? null, createdAt: created_at })),
  );
}

/**
 * Raises this session with a code of the factor. `challengeId` belongs to a code that was sent; without one, a
 * challenge is created.
 */
export async function proveSecondFactor(
  client: AppClient,
  factorId: string,
  code: string,
  challengeId?: string,
): Promise<AuthError | null> {
  const { mfa } = client.auth;
  const { error } =
    challengeId === undefined
      ? await mfa.challengeAndVerify({ factorId, code })
      : await mfa.verify({ factorId, challengeId, code });
  return error;
}

/**
 * Raises this session with a recovery code, which is used up. Returns whether the code was correct, or why the service
 * did not check it. Throws where there was no response.
 */
export async function proveByRecoveryCode(
  client: AppClient,
  code: string,
): Promise<'proved' | 'wrong' | 'tooMany' | 'failed'> {
  const { error, status } = await client.rpc('use_recovery_code', { code_param: code.trim() });
  if (error?.code === 'PT403' || error?.code === '22023') return 'wrong';
  if (error && status === 0) throw error;
  if (error) return status === 429 ? 'tooMany' : 'failed';
  const { error: notRefreshed } = await client.auth.refreshSession();
  if (notRefreshed) throw notRefreshed;
  return 'proved';
}
