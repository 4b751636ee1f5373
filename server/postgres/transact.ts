import type { Pool, PoolClient } from 'pg';
import { type OpeningStatement, queryOpened } from './opened-query.ts';
import type { Statement, StatementResult, Transaction } from './statement.ts';

class RollbackFailed extends Error {}

/** One connection of the pool for as long as `use` takes; waits where all are taken. */
export async function withClient<Result>(pool: Pool, use: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let outOfStep = false;
  try {
    return await use(client);
  } catch (error) {
    outOfStep = error instanceof RollbackFailed;
    throw outOfStep && error instanceof Error ? error.cause : error;
  } finally {
    // The pool itself drops a connection that broke; one whose transaction could not be ended must go too.
    client.release(outOfStep);
  }
}

/** One statement outside a transaction of ours. */
export function send<Row>(client: PoolClient, statement: Statement): Promise<StatementResult<Row>> {
  // Through the same way as what is opened: the driver's own copies the statement first, and has a promise of its own.
  return queryOpened<Row>(client, [], statement);
}

/**
 * Several statements in one transaction: it begins with the first statement of `work`, in one flight with it, and is
 * committed when `work` resolves, rolled back when it throws.
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
    // PostgreSQL answers COMMIT with ROLLBACK where a statement failed and `work` went on regardless.
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
