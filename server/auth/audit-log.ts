import type { Transaction } from '#server/postgres/statement.ts';

type FailureEvent = 'sign_in_failed' | 'second_factor_failed';

/**
 * One more failure of an account within this hour; null for an address that has none. All else that the audit log
 * holds is written by the rows that change (migration 8).
 */
export async function recordFailure(from: Transaction, event: FailureEvent, userId: string | null): Promise<void> {
  await from.query({
    name: 'auth_record_failure',
    text: 'select internal.record_failure($1, $2)',
    values: [event, userId],
  });
}
