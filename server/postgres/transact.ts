import type { Pool, PoolClient } from 'pg';
import { type OpeningStatement, queryOpened } from './opened-query.ts';
import { NotPrimary, PrimaryClient } from './primary-client.ts';
import { asPostgresError, DEADLOCK_DETECTED, endsConnection, READ_ONLY } from './sqlstate.ts';
import type { Statement, StatementResult, Transaction } from './statement.ts';

class RollbackFailed extends Error {}

/**
 * Reserves a connection of the pool while `use` runs; waits where all are in use.
 *
 * @throws NotPrimary where `use` failed because the server can no longer be written to
 */
export async function withClient<Result>(pool: Pool, use: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let isUsable = true;
  try {
    return await use(client);
  } catch (error) {
    // The pool drops connections that it knows to be broken. One whose transaction could not be ended must be closed as
    // well, and one that PostgreSQL is closing.
    isUsable = !(error instanceof RollbackFailed) && !endsConnection(error);
    if (isUsable && (await isReadOnlyServer(client, error))) {
      isUsable = false;
      if (client instanceof PrimaryClient) client.abandon();
      throw new NotPrimary('This PostgreSQL can only be read.', { cause: error });
    }
    throw error instanceof RollbackFailed ? error.cause : error;
  } finally {
    client.release(!isUsable);
  }
}

/** A call that may only read fails in the same way where it tries to write. So the session itself is asked. */
async function isReadOnlyServer(client: PoolClient, error: unknown): Promise<boolean> {
  if (asPostgresError(error)?.code !== READ_ONLY) return false;
  try {
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    return rows[0]?.transaction_read_only === 'on';
  } catch {
    return true;
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
