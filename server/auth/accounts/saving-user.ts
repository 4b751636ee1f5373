import { asPostgresError } from '#server/postgres/sqlstate.ts';
import { AuthError } from '../wire/auth-error.ts';

/** What a trigger of the operator fails with: its data, a constraint, a right, or an exception of its own. */
const FAILED_TRIGGER = /^(?:22|23|42|P0)/;

/**
 * Inserts an account. Throws `userNotSaved`, or the given refusal, where a trigger on the accounts fails, with the error
 * for the log.
 */
export async function savingUser(
  insert: () => Promise<unknown>,
  refusal: 'userNotSaved' | 'userNotCreated' = 'userNotSaved',
): Promise<void> {
  try {
    await insert();
  } catch (cause) {
    throw FAILED_TRIGGER.test(asPostgresError(cause)?.code ?? '') ? new AuthError(refusal, { cause }) : cause;
  }
}
