import type { Caller } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import type { Change } from './change.ts';
import { filterSql } from './filter-sql.ts';
import type { TableDescription } from './published-tables.ts';
import type { Subscription } from './subscription.ts';

/** Which of a caller's subscriptions receive a change, and with which values. */
export interface Decision {
  readonly passing: readonly Subscription[];
  /** The caller could see the row before the change, so the old values may be included. */
  readonly oldVisible: boolean;
}

const NO_READERS: Decision = { passing: [], oldVisible: false };

/** How many filters one statement tests: PostgreSQL allows 65,535 parameters, and plans each test. */
const FILTERS_AT_ONCE = 200;

/**
 * Decides as the caller, in one statement for each 200 different filters. A row under row-level security is delivered only when
 * - the caller's policies accept the row as it was in this change, so that a caller who gains access later does not see
 *   earlier values, and
 * - the caller can select the current row, which lets PostgreSQL decide with the policies themselves.
 *
 * A deleted row has no current row, so only the first condition applies.
 */
export async function decideReaders(
  database: Database,
  change: Change,
  table: TableDescription,
  caller: Caller,
  candidates: readonly Subscription[],
): Promise<Decision> {
  if (table.rowSecurity && (!canReadKey(table) || seesNothing(table))) return NO_READERS;
  const filters = [...new Map(candidates.map((subscription) => [subscription.filterText, subscription])).values()];
  if (table.visible === null && filters.every(({ filter }) => filter.length === 0)) {
    return { passing: candidates, oldVisible: true };
  }

  const accepted = new Set<string>();
  let oldVisible = false;
  for (let from = 0; from < filters.length; from += FILTERS_AT_ONCE) {
    const some = filters.slice(from, from + FILTERS_AT_ONCE);
    const response = await testFilters(database, change, table, caller, some);
    if (response === undefined) return NO_READERS;
    some.forEach(({ filterText }, index) => {
      if (response.passing[index] === true) accepted.add(filterText);
    });
    oldVisible = response.old_visible;
  }
  return { passing: candidates.filter(({ filterText }) => accepted.has(filterText)), oldVisible };
}

/** Returns which filters the row passes, or undefined where the caller may not see the row. */
async function testFilters(
  database: Database,
  change: Change,
  table: TableDescription,
  caller: Caller,
  filters: readonly Subscription[],
): Promise<{ readonly passing: readonly boolean[]; readonly old_visible: boolean } | undefined> {
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
    // `holder: null`: requests of the caller that hold connections must not delay the changes queued behind this one.
    { readOnly: true, holder: null, settings: { statement_timeout: String(REALTIME_LIMITS.decisionMs) } },
  );
  return rows[0];
}

/** Whether the role has no policy that shows it any row, as visitors have none. No statement is needed then. */
function seesNothing({ visible }: TableDescription): boolean {
  return visible?.startsWith('(false)') === true;
}

/** Whether the role may read the whole primary key. Without it, no change of a row is delivered. */
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
