import type { Transaction } from '#server/postgres/statement.ts';
import { type Metadata, mergeMetadata } from '../accounts/metadata.ts';
import { BY_OPERATOR, findRegistrations, registerAccount, registrationOf } from '../accounts/register-account.ts';
import { lockAddress } from '../accounts/user.ts';
import { AuthError } from '../wire/auth-error.ts';

interface OperatorRegistration {
  readonly email: string;
  /** Null for an account that chooses its password later, or that has one from an earlier registration. */
  readonly passwordHash: string | null;
  readonly metadata: Metadata;
  readonly isSignUp: boolean;
}

/**
 * Registers an address, and returns the account's id. An earlier registration by an operator keeps its password, unless there
 * is another, and its metadata, which a sign-up's is merged into. Throws `emailExists`.
 */
export async function registerByOperator(
  transaction: Transaction,
  { email, passwordHash, metadata, isSignUp }: OperatorRegistration,
): Promise<string> {
  await lockAddress(transaction, email);
  const own = registrationOf(await findRegistrations(transaction, email, null), BY_OPERATOR);
  const before = own?.raw_user_meta_data;
  const data = before === undefined ? metadata : isSignUp ? mergeMetadata(before, metadata) : before;
  const hash = passwordHash ?? own?.encrypted_password ?? null;
  const registration = { email, passwordHash: hash, data, phone: null, registeredOn: BY_OPERATOR };
  const registered = await registerAccount(transaction, registration);
  if (registered.outcome === 'exists') throw new AuthError('emailExists');
  return registered.userId;
}
