import type { Change } from './change.ts';
import { canReadKey } from './decide-readers.ts';
import type { ChangedRow } from './prefilter.ts';
import type { TableColumn, TableDescription } from './published-tables.ts';

/**
 * Returns the `data` of a postgres_changes push as JSON text, with the columns that the client selected and the role
 * may read.
 */
export function changeMessage(
  change: Change,
  table: TableDescription,
  { select, oldVisible }: { select: readonly string[] | null; oldVisible: boolean },
): string {
  const { schema, type, record, oldRecord, at } = change;
  const problem = problemOf(change, table);
  const hidden = problem !== null && !change.large;
  const columns = table.columns.filter(({ name, readable }) => readable && (select === null || select.includes(name)));
  const keys = table.columns.filter(({ key, readable }) => key && readable);
  // Under row-level security a deletion reveals only the primary key, and so does an update of a row that the caller
  // could not see before.
  const oldColumns = table.oldValues && (type === 'DELETE' ? !table.rowSecurity : oldVisible) ? columns : keys;
  return JSON.stringify({
    schema,
    table: change.table,
    type,
    commit_timestamp: at,
    columns: hidden ? [] : columns.map((column) => ({ name: column.name, type: column.type })),
    ...(record === null ? {} : { record: hidden ? {} : only(record, columns) }),
    ...(oldRecord === null || type === 'INSERT' ? {} : { old_record: hidden ? {} : only(oldRecord, oldColumns) }),
    errors: problem === null ? null : [problem],
  });
}

function problemOf(change: Change, table: TableDescription): string | null {
  if (!table.columns.some(({ key }) => key)) return 'Error 400: Bad Request, no primary key';
  if (!canReadKey(table)) return 'Error 401: Unauthorized';
  return change.large ? 'Error 413: Payload Too Large' : null;
}

function only(row: ChangedRow, columns: readonly TableColumn[]): ChangedRow {
  return Object.fromEntries(columns.filter(({ name }) => name in row).map(({ name }) => [name, row[name]]));
}
