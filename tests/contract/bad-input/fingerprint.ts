import type { TestDatabase } from '#tests/support/test-database.ts';

/**
 * Returns a hash of each table of the product, to detect any change by a caller. Excludes jobs, which change by
 * themselves and each have a persistent message, and the times of last access.
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
