import type { Transaction } from '#server/postgres/statement.ts';

type FailureEvent = 'sign_in_failed' | 'second_factor_failed';

/**
 * Counts one more failure of an account in this hour. `userId` is null for an address without an account. Triggers on
 * the changed rows write all other entries of the audit log (database/functions/account/record_event.sql).
 */
export async function recordFailure(from: Transaction, event: FailureEvent, userId: string | null): Promise<void> {
  await from.query({
    name: 'auth_record_failure',
    text: 'select internal.record_failure($1, $2)',
    values: [event, userId],
  });
}
