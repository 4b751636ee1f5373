import type { TestDatabase } from '#tests/support/test-database.ts';

/**
 * Everything that a caller could change: the rows of every table of the product, as one hash for each table. Jobs come
 * and go by themselves, and each has a message that stays; that a row
 * was looked at is no change of it.
 */
export async function fingerprint(database: TestDatabase): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'auth', 'storage', 'realtime') or (schemaname = 'internal' and tablename <> 'rate_limits')
      order by 1`);
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await database.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(row, '|' order by row)), '') as hash
         from (select (to_jsonb(t) - 'updated_at')::text as row from ${name} as t) as rows`,
    );
    hashes[name] = row?.hash ?? '';
  }
  return hashes;
}
