import type { Condition, FilterOperator } from './parse-filter.ts';
import type { TableColumn, TableDescription } from './published-tables.ts';

/** One condition of a filter, bound to the column it applies to. */
export interface BoundCondition {
  readonly column: TableColumn;
  readonly condition: Condition;
}

/** A client requested something the table does not have. The message is shown to the client. */
export class SubscriptionRefused extends Error {}

/**
 * Binds a filter to its table.
 *
 * @throws SubscriptionRefused for a column that does not exist or that the role may not read.
 */
export function bindFilter(conditions: readonly Condition[], table: TableDescription): BoundCondition[] {
  return conditions.map((condition) => {
    const column = table.columns.find(({ name }) => name === condition.column);
    if (column?.readable !== true) throw new SubscriptionRefused(`invalid column for filter ${condition.column}`);
    return { column, condition };
  });
}

const COMPARISONS: Readonly<Partial<Record<FilterOperator, string>>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  isdistinct: 'is distinct from',
};

const STATES: Readonly<Record<string, string>> = {
  null: 'is null',
  not_null: 'is not null',
  true: 'is true',
  false: 'is false',
  unknown: 'is unknown',
};

/**
 * Returns the filter as a SQL condition on a row named by the table's alias. Values are appended to `values` and appear
 * as parameters; identifiers were quoted by PostgreSQL.
 *
 * @throws SubscriptionRefused for an `is` with an unknown keyword.
 */
export function filterSql(filter: readonly BoundCondition[], table: TableDescription, values: unknown[]): string {
  if (filter.length === 0) return 'true';
  return filter.map((bound) => conditionSql(bound, table, values)).join(' and ');
}

function conditionSql(
  { column, condition: { operator, value, negated } }: BoundCondition,
  table: TableDescription,
  values: unknown[],
): string {
  const name = `${table.alias}.${column.identifier}`;
  const parameter = (type: string): string => {
    values.push(value);
    return `$${values.length}::${type}`;
  };
  const comparison = COMPARISONS[operator];
  let sql: string;
  if (comparison !== undefined) sql = `${name} ${comparison} ${parameter(column.cast)}`;
  else if (operator === 'in') sql = `${name} = any (${parameter(`${column.cast}[]`)})`;
  else if (operator === 'is') sql = `${name} ${stateOf(value)}`;
  else sql = `${name}::text ${operator} ${parameter('text')}`;
  return negated ? `not (${sql})` : `(${sql})`;
}

function stateOf(value: string | readonly string[]): string {
  const state = typeof value === 'string' ? STATES[value.toLowerCase()] : undefined;
  if (state === undefined) throw new SubscriptionRefused(`invalid value for the filter operator is: ${value}`);
  return state;
}
