import { Client, type ClientConfig } from 'pg';
import { OperatorError } from '#server/operator-error.ts';

/** SQLSTATE invalid_password. */
const WRONG_PASSWORD = '28P01';

/**
 * Creates the database where it is missing. `name` must be a constant. Throws an OperatorError for a wrong password.
 */
export async function createDatabase(server: ClientConfig, name: string): Promise<void> {
  const client = new Client({ ...server, database: 'postgres', ssl: false });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === WRONG_PASSWORD)) throw error;
    throw new OperatorError(
      "The embedded PostgreSQL does not accept the password in its data folder's file reunite-password. Remove that file, and the next start sets a new one.",
      { cause: error },
    );
  } finally {
    await client.end();
  }
}
