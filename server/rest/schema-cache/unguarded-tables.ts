import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';

interface UnguardedTable {
  readonly name: string;
  readonly is_open: boolean;
}

/**
 * Warns of tables that clients have a right to, and that have no row-level security (every client reaches all rows) or no
 * policy (no client reaches any). The product's own tables all have row-level security, and some need no policy.
 */
export async function warnOfUnguardedTables(
  { database, log }: { readonly database: Pick<Database, 'asService'>; readonly log: Pick<ServiceLog, 'warn'> },
  schemas: readonly string[],
): Promise<void> {
  const { rows } = await database.asService<UnguardedTable>({
    text: `select format('%I.%I', namespace.nspname, class.relname) as name, not class.relrowsecurity as is_open
             from pg_class as class
             join pg_namespace as namespace on namespace.oid = class.relnamespace
             where namespace.nspname = any($1) and class.relkind in ('r', 'p')
               and (has_any_column_privilege('anon', class.oid, 'select, insert, update')
                 or has_any_column_privilege('authenticated', class.oid, 'select, insert, update'))
               and (not class.relrowsecurity
                 or namespace.nspname <> 'public' and not exists (select from pg_policy where polrelid = class.oid))
             order by 1`,
    values: [schemas],
  });
  const open = rows.filter(({ is_open: isOpen }) => isOpen).map(({ name }) => name);
  const closed = rows.filter(({ is_open: isOpen }) => !isOpen).map(({ name }) => name);
  if (open.length > 0) {
    log.warn({ tables: open }, 'Clients reach every row of these tables: they have no row-level security.');
  }
  if (closed.length > 0) {
    log.warn({ tables: closed }, 'Clients reach no row of these tables: they have no policy.');
  }
}
