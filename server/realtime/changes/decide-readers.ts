import type { Caller } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Change } from './change.ts';
import { filterSql } from './filter-sql.ts';
import { REALTIME_LIMITS } from './limits.ts';
import type { TableDescription } from './published-tables.ts';
import type { Subscription } from './subscription.ts';

/** Which of one caller's subscriptions a change is told to, and how much of it. */
export interface Decision {
  readonly passing: readonly Subscription[];
  /** The caller could see the row as it was before, so that its old values may be told too. */
  readonly oldVisible: boolean;
}

const NOBODY: Decision = { passing: [], oldVisible: false };

/**
 * Asks PostgreSQL, as the caller, in one statement. A row under row-level security is told only when
 * - the caller's policies let through the row as it was in this change (so that nobody who may see a row from now on
 *   is told what it held before), and
 * - the caller can select the row that stands there now, which is PostgreSQL's own word on it.
 * A deleted row no longer stands there: the first alone decides.
 */
export async function decideReaders(
  database: Database,
  change: Change,
  table: TableDescription,
  caller: Caller,
  candidates: readonly Subscription[],
): Promise<Decision> {
  if (table.rowSecurity && !canReadKey(table)) return NOBODY;
  const filters = [...new Map(candidates.map((subscription) => [subscription.filterText, subscription])).values()];
  if (table.visible === null && filters.every(({ filter }) => filter.length === 0)) {
    return { passing: candidates, oldVisible: true };
  }

  const values: unknown[] = [change.source];
  const tests = filters.map(({ filter }) => `coalesce(${filterSql(filter, table, values)}, false)`);
  const { rows } = await database.asCaller<{ passing: boolean[]; old_visible: boolean }>(
    caller,
    {
      text: `select array[${tests.join(', ')}]::boolean[] as passing, ${oldVisibleSql(change, table)} as old_visible
        from jsonb_populate_record(null::${table.identifier}, $1::jsonb -> '${change.record === null ? 'old_record' : 'record'}') as ${table.alias}
        where ${visibleSql(change, table)}`,
      values,
    },
    // What a caller's own calls hold must not keep others waiting for the changes that come after this one.
    { readOnly: true, holder: null, settings: { statement_timeout: String(REALTIME_LIMITS.decisionMs) } },
  );
  const [answer] = rows;
  if (answer === undefined) return NOBODY;
  const accepted = new Set(filters.filter((_, index) => answer.passing[index] === true).map((kept) => kept.filterText));
  return { passing: candidates.filter(({ filterText }) => accepted.has(filterText)), oldVisible: answer.old_visible };
}

/** Whether the role may read the whole primary key, without which it is told nothing of a row. */
export function canReadKey(table: TableDescription): boolean {
  return table.columns.every(({ key, readable }) => !key || readable);
}

function visibleSql(change: Change, table: TableDescription): string {
  if (table.visible === null) return 'true';
  const keys = table.columns.filter(({ key }) => key).map(({ identifier }) => identifier);
  if (change.type === 'DELETE' || keys.length === 0) return table.visible;
  const same = keys.map((key) => `standing_row.${key} = ${table.alias}.${key}`).join(' and ');
  return `${table.visible} and exists (select from ${table.identifier} as standing_row where ${same})`;
}

function oldVisibleSql(change: Change, table: TableDescription): string {
  if (table.visible === null) return 'true';
  if (change.type !== 'UPDATE' || !table.oldValues) return 'false';
  return `exists (
    select from jsonb_populate_record(null::${table.identifier}, $1::jsonb -> 'old_record') as ${table.alias}
      where ${table.visible})`;
}
