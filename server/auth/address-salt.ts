import { createHmac } from 'node:crypto';
import type { AuthService } from './auth-service.ts';
import { findClaims } from './claim-queries.ts';
import { saltOf } from './password-hasher.ts';

/** RFC 9106, section 3.1: 16 bytes are recommended. */
const SALT_BYTES = 16;

/**
 * The salt for the password of an account that claims an address. Accounts that claim one address share it, so that a
 * sign-in hashes once however many there are. Nobody without the server's key can compute it before.
 */
export async function saltOfAddress(
  { alone, saltSecret }: Pick<AuthService, 'alone' | 'saltSecret'>,
  email: string,
): Promise<Buffer> {
  const claims = await findClaims(alone, email, { deviceHash: null });
  const [hash] = claims.map((claim) => claim.encrypted_password).filter((password) => password !== null);
  const shared = hash === undefined ? undefined : saltOf(hash);
  return shared ?? createHmac('sha256', saltSecret).update(email).digest().subarray(0, SALT_BYTES);
}
