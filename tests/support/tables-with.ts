import type { TestDatabase } from './test-database.ts';

/** Returns the names of all tables, ours and the job queue's, with a row that contains the text. */
export async function tablesWith(database: Pick<TestDatabase, 'query'>, text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(`select from ${name} as kept where to_jsonb(kept)::text ilike $1`, [`%${text}%`]);
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}
