import type { Client } from 'pg';
import type { AppliedMigration } from './plan-migrations.ts';

/** Returns the migrations that a database has, in order. */
export async function readBook(client: Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select number, name, checksum, kind from internal.migrations order by number',
  );
  return rows;
}
