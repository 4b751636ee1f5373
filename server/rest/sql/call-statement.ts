import type { Statement } from '#server/postgres/statement.ts';
import { functionAmbiguous, functionNotFound } from '../errors.ts';
import type { Schema, StoredFunction } from '../schema-cache/schema.ts';
import { Parameters, prepared } from './parameters.ts';

/** The function that takes arguments of these names. Throws PGRST202 where none does, PGRST203 where several do. */
export function chooseFunction(schema: Schema, name: string, given: readonly string[]): StoredFunction {
  const fitting = (schema.functions.get(name) ?? []).filter(
    ({ arguments: all }) =>
      given.every((argument) => all.some((known) => known.name === argument)) &&
      all.every((argument) => !argument.required || given.includes(argument.name)),
  );
  const [only, ...others] = fitting;
  if (only === undefined) throw functionNotFound(schema.name, name, given.toSorted());
  if (others.length > 0) throw functionAmbiguous(fitting.map(signature));
  return only;
}

function signature({ sql, arguments: all }: StoredFunction): string {
  return `${sql}(${all.map(({ name, type }) => `${name} => ${type}`).join(', ')})`;
}

/** What a call answers: its result as JSON text, null for one that returns nothing. */
export interface CallAnswer {
  readonly body: string | null;
  readonly affected: number;
}

/** `values` are in the text form that PostgreSQL reads, or null. */
export function callStatement(called: StoredFunction, values: ReadonlyMap<string, unknown>): Statement {
  const parameters = new Parameters();
  const given = called.arguments
    .filter(({ name }) => values.has(name))
    .map(({ name, sql, type }) => `${sql} => ${parameters.add(values.get(name))}::${type}`);
  const call = `${called.sql}(${given.join(', ')})`;
  const { result } = called;
  if (result.kind === 'void') {
    return prepared(`select null::text as body, count(*)::int as affected from (select ${call}) as done`, parameters);
  }
  if (result.set) {
    const rows = `select coalesce(json_agg(result), '[]')::text as body, count(*)::int as affected`;
    return prepared(`${rows} from ${call} as result`, parameters);
  }
  if (result.kind === 'composite') {
    return prepared(`select row_to_json(result)::text as body, 1 as affected from ${call} as result`, parameters);
  }
  const value = result.json ? call : `to_json(${call})`;
  return prepared(`select coalesce(${value}::text, 'null') as body, 1 as affected`, parameters);
}
