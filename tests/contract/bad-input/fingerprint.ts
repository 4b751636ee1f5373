import type { TestDatabase } from '#tests/support/test-database.ts';

/**
 * Returns a hash of each table of the product, to detect any change by a caller. Excludes jobs, which change by
 * themselves and each have a persistent message, and the times of last access. All are read by one statement: tests
 * take it hundreds of times.
 */
export async function fingerprint(database: TestDatabase): Promise<Record<string, string>> {
  const tables = await database.query<{ hash: string }>(`
    select format(
        $$select %L as name, count(*) || ' ' || coalesce(md5(string_agg(row, '|' order by row)), '') as hash
            from (select (to_jsonb(t) - 'updated_at')::text as row from %I.%I as t) as rows$$,
        schemaname || '.' || tablename, schemaname, tablename) as hash
      from pg_tables
      where schemaname in ('public', 'auth', 'storage', 'realtime') or (schemaname = 'internal' and tablename <> 'rate_limits')
      order by schemaname, tablename`);
  const rows = await database.query<{ name: string; hash: string }>(tables.map(({ hash }) => hash).join(' union all '));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}
