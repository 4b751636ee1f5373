import type { Pool, PoolClient } from 'pg';
import { type OpeningStatement, queryOpened } from './opened-query.ts';
import { asPostgresError, DEADLOCK_DETECTED } from './sqlstate.ts';
import type { Statement, StatementResult, Transaction } from './statement.ts';

class RollbackFailed extends Error {}

/** Reserves a connection of the pool while `use` runs; waits where all are in use. */
export async function withClient<Result>(pool: Pool, use: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let outOfStep = false;
  try {
    return await use(client);
  } catch (error) {
    outOfStep = error instanceof RollbackFailed;
    throw outOfStep && error instanceof Error ? error.cause : error;
  } finally {
    // The pool drops broken connections. One whose transaction could not be ended must be closed as well.
    client.release(outOfStep);
  }
}

/** Runs one statement outside a transaction. */
export function send<Row>(client: PoolClient, statement: Statement): Promise<StatementResult<Row>> {
  // Uses the same path as opened statements: the driver's own would copy the statement and add a promise.
  return queryOpened<Row>(client, [], statement);
}

/**
 * Runs several statements in one transaction. It begins together with the first statement of `work`, commits when
 * `work` resolves and rolls back when it throws.
 */
export async function transact<Result>(
  client: PoolClient,
  beginning: readonly OpeningStatement[],
  work: (transaction: Transaction) => Promise<Result>,
  { rollback = false }: { readonly rollback?: boolean } = {},
): Promise<Result> {
  let begun = false;
  const query = <Row>(statement: Statement): Promise<StatementResult<Row>> => {
    if (begun) return send<Row>(client, statement);
    begun = true;
    return queryOpened<Row>(client, beginning, statement);
  };
  try {
    const result = await work({ query });
    if (!begun) return result;
    const { command } = await client.query(rollback ? 'rollback' : 'commit');
    // PostgreSQL responds to COMMIT with ROLLBACK where a statement failed and `work` continued regardless.
    if (!rollback && command !== 'COMMIT') {
      throw new Error('The transaction was rolled back: a statement in it had failed.');
    }
    return result;
  } catch (error) {
    if (begun) {
      await client.query('rollback').catch(() => {
        throw new RollbackFailed('The transaction could not be rolled back.', { cause: error });
      });
    }
    throw error;
  }
}

/**
 * Makes the call once more where PostgreSQL ended its transaction to resolve a deadlock. Nothing of that transaction
 * remains, so this is safe where `call` has no effect outside it.
 */
export async function retryAfterDeadlock<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (asPostgresError(error)?.code !== DEADLOCK_DETECTED) throw error;
    return call();
  }
}
