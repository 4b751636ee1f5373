import type { Caller } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Binding, ChangeEvent } from '../channels/join-config.ts';
import { type BoundCondition, bindFilter, filterSql, SubscriptionRefused } from './filter-sql.ts';
import { type Condition, parseFilter } from './parse-filter.ts';
import { type Prefilter, prefilterOf } from './prefilter.ts';
import type { PublishedTables, TableColumn, TableDescription } from './published-tables.ts';

/** A binding checked against the database for one caller. */
export interface Subscription {
  /** The id that the client knows it by. */
  readonly id: number;
  readonly event: ChangeEvent;
  readonly schema: string;
  readonly table: string;
  readonly filter: readonly BoundCondition[];
  /** The filter as the client wrote it. Two subscriptions to one table with the same text are equivalent. */
  readonly filterText: string;
  readonly prefilter: Prefilter;
  readonly select: readonly string[] | null;
}

export interface SubscribeContext {
  readonly database: Database;
  readonly tables: PublishedTables;
}

/**
 * Checks, as the caller, that the binding's table is published and that PostgreSQL accepts its filter.
 *
 * @throws SubscriptionRefused with a message for the client; other errors are failures of the database.
 */
async function checkBinding(
  { database, tables }: SubscribeContext,
  caller: Caller,
  binding: Binding,
  id: number,
): Promise<Subscription> {
  const { event, schema, table, select } = binding;
  if (schema === null) {
    throw new SubscriptionRefused(
      `No subscription params provided. Please provide at least a \`schema\` or \`table\` to subscribe to: ${JSON.stringify(binding.echo)}`,
    );
  }
  const parsed = parseFilter(binding.filter ?? '');
  if (binding.filter !== null && !parsed.ok) throw new SubscriptionRefused(parsed.message);
  const common = { id, event, schema, table, select, filterText: binding.filter ?? '' };

  if (schema === '*' || table === '*') {
    if (binding.filter !== null) throw refusal(binding, 'A filter needs a schema and a table');
    if ((await tables.matching(schema, table)).length === 0) throw refusal(binding);
    return { ...common, filter: [], prefilter: () => true };
  }
  const description = await tables.describe(schema, table, caller.role);
  if (description === null) throw refusal(binding);
  try {
    const missing = select?.find(
      (name) => description.columns.find((column) => column.name === name)?.readable !== true,
    );
    if (missing !== undefined) throw new SubscriptionRefused(`invalid column for select ${missing}`);
    const filter = parsed.ok && binding.filter !== null ? bindFilter(parsed.conditions, description) : [];
    const plain = filter.map(({ column, condition }) => canonicalForm(column, condition));
    const canonical = plain.includes(undefined) ? await rehearse(database, caller, description, filter) : plain;
    return { ...common, filter, prefilter: prefilterOf(filter, canonical) };
  } catch (error) {
    if (error instanceof SubscriptionRefused || isDataError(error)) throw refusal(binding, error.message);
    throw error;
  }
}

/**
 * Returns all subscriptions of a channel, checked as its caller, or the first refusal. Throws where the database fails.
 */
export async function checkBindings(
  context: SubscribeContext,
  { caller, bindings, ids }: { caller: Caller; bindings: readonly Binding[]; ids: readonly number[] },
): Promise<Subscription[] | SubscriptionRefused> {
  try {
    const subscriptions: Subscription[] = [];
    for (const [index, binding] of bindings.entries()) {
      subscriptions.push(await checkBinding(context, caller, binding, ids[index] ?? 0));
    }
    return subscriptions;
  } catch (error) {
    if (error instanceof SubscriptionRefused) return error;
    throw error;
  }
}

/** Evaluates the filter once on a row of nulls and returns the JSON form of each value. */
async function rehearse(
  database: Database,
  caller: Caller,
  table: TableDescription,
  filter: readonly BoundCondition[],
): Promise<unknown[]> {
  const values: unknown[] = [];
  const condition = filterSql(filter, table, values);
  const forms = filter.map(({ column, condition: { operator, value } }) => {
    if (operator === 'is' || operator === 'like' || operator === 'ilike') return "'null'::jsonb";
    values.push(value);
    return `to_jsonb($${values.length}::${column.cast}${operator === 'in' ? '[]' : ''})`;
  });
  const { rows } = await database.asCaller<{ forms: unknown[] }>(
    caller,
    {
      text: `select jsonb_build_array(${forms.join(', ')}) as forms, (${condition}) as passes
        from jsonb_populate_record(null::${table.identifier}, '{}') as ${table.alias}`,
      values,
    },
    // `holder: null`: few joins are checked at once, so none may wait for connections that its caller's other requests
    // hold.
    { readOnly: true, holder: null },
  );
  return rows[0]?.forms ?? [];
}

function refusal(binding: Binding, exception?: string): SubscriptionRefused {
  const { event, schema, table, filter } = binding;
  const parameters = `[event: ${event}, schema: ${schema}, table: ${table}, filter: ${filter ?? 'nil'}]`;
  return new SubscriptionRefused(
    exception === undefined
      ? `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${parameters}`
      : `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: ${parameters}. Exception: ${exception}`,
  );
}

/** A value that does not fit its type (SQLSTATE class 22), or an operator that the type lacks (class 42). */
function isDataError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(22|42)/.test(error.code);
}

const CANONICAL_UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Returns the JSON form that PostgreSQL gives a filter's value, where it is known without a query: text, and a uuid in
 * canonical form. Returns undefined otherwise. A typical filter thus needs no statement.
 */
function canonicalForm({ type }: TableColumn, { operator, value }: Condition): unknown {
  if (operator !== 'eq' && operator !== 'in') return undefined;
  const values = typeof value === 'string' ? [value] : value;
  const plain = type === 'text' || (type === 'uuid' && values.every((one) => CANONICAL_UUID.test(one)));
  return plain ? value : undefined;
}
