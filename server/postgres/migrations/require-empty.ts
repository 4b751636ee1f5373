import type { Client } from 'pg';
import { MigrationError } from './migration-error.ts';

/** @throws MigrationError where the database has a table, a view, or anything like it, of whomever it is. */
export async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ found: string }>(`
    select relnamespace::regnamespace || '.' || relname as found from pg_class
      where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        and relnamespace::regnamespace::text !~ '^(pg_.*|information_schema)$'
        and not exists (
          select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
        )
        -- An interrupted restore leaves these two without rows.
        and (relnamespace::regnamespace || '.' || relname) not in ('internal.migrations', 'internal.functions')
      order by relkind <> 'r', 1 limit 1`);
  const found = rows[0]?.found ?? (await isMigrated(client));
  if (found === null) return;
  throw new MigrationError(
    `The database is not empty: it has ${found}. A backup is restored only into an empty one. Nothing was changed.`,
  );
}

async function isMigrated(client: Client): Promise<string | null> {
  const { rows: books } = await client.query<{ exists: boolean }>(
    "select to_regclass('internal.migrations') is not null as exists",
  );
  if (books[0]?.exists !== true) return null;
  const { rows } = await client.query<{ exists: boolean }>('select exists (select from internal.migrations) as exists');
  return rows[0]?.exists === true ? 'internal.migrations' : null;
}
