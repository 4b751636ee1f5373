import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthenticationMethod } from './session-queries.ts';

/** How long an authorization code can be exchanged with its verifier. */
const LIFE_MS = 5 * 60_000;

export interface AuthorizationCode {
  readonly userId: string;
  readonly challenge: string;
  readonly method: AuthenticationMethod['method'];
  /** When the holder of the future session proved their identity; null where that is at the exchange. */
  readonly provedAt: Date | null;
  readonly expiresAt: Date;
}

/** Issues a code that the client with the verifier can exchange for a session, once (RFC 7636). */
export async function issueAuthorizationCode(
  transaction: Transaction,
  { userId, challenge, method, provedAt, now }: Omit<AuthorizationCode, 'expiresAt'> & { readonly now: number },
): Promise<string> {
  const code = randomUUID();
  await transaction.query({
    name: 'auth_issue_authorization_code',
    text: `insert into auth.authorization_codes (code_hash, user_id, code_challenge, method, expires_at, proved_at)
             values ($1, $2, $3, $4, $5, $6)`,
    values: [hashOf(code), userId, challenge, method, new Date(now + LIFE_MS), provedAt],
  });
  return code;
}

/** Returns the code as issued, expired or not. The code and its account are locked until the transaction ends. */
export async function lockAuthorizationCode(
  transaction: Transaction,
  code: string,
): Promise<AuthorizationCode | undefined> {
  const values = [hashOf(code)];
  // Lock order: the account before its codes (see `lockLink`).
  await transaction.query({
    name: 'auth_lock_account_of_authorization_code',
    text: `select from auth.users
             where id = (select user_id from auth.authorization_codes where code_hash = $1) for update`,
    values,
  });
  const { rows } = await transaction.query<{
    user_id: string;
    code_challenge: string;
    method: AuthenticationMethod['method'];
    expires_at: Date;
    proved_at: Date | null;
  }>({
    name: 'auth_authorization_code',
    text: `select user_id, code_challenge, method, expires_at, proved_at
             from auth.authorization_codes where code_hash = $1`,
    values,
  });
  const [row] = rows;
  return (
    row && {
      userId: row.user_id,
      challenge: row.code_challenge,
      method: row.method,
      provedAt: row.proved_at,
      expiresAt: row.expires_at,
    }
  );
}

export async function deleteAuthorizationCode(transaction: Transaction, code: string): Promise<void> {
  await transaction.query({
    name: 'auth_delete_authorization_code',
    text: 'delete from auth.authorization_codes where code_hash = $1',
    values: [hashOf(code)],
  });
}

/** Whether the S256 challenge was made from the verifier. Compares in constant time. */
export function provesChallenge(verifier: string, challenge: string): boolean {
  const made = createHash('sha256').update(verifier).digest();
  const given = Buffer.from(challenge, 'base64url');
  return made.length === given.length && timingSafeEqual(made, given);
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
