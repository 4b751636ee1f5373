import type { AuthService } from '#server/auth/auth-service.ts';
import type { Transaction } from '#server/postgres/statement.ts';

/** Runs one transaction as the operator: the audit log attributes its changes to an operator. */
export function actAsOperator<Result>(
  { database }: Pick<AuthService, 'database'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transactAsService(async (transaction) => {
    await transaction.query({
      name: 'auth_act_as_operator',
      text: `select set_config('reunite.by_operator', 'on', true)`,
    });
    return work(transaction);
  });
}
