import type { ApiRole } from '#server/postgres/caller.ts';
import { closestName } from '../closest-name.ts';
import { functionAmbiguous, functionNotFound } from '../errors.ts';
import type { BodyKind, FunctionArgument, Schema, StoredFunction } from '../schema-cache/schema.ts';
import { TARGET } from './read-node.ts';
import { RESPONSE_SETTINGS } from './response-sql.ts';

/** How to call a function with arguments of these names. Built once and reused. */
export interface CallPlan {
  readonly called: StoredFunction;
  /** The given arguments, in the order of their placeholders; for `takesBody` the unnamed one. */
  readonly given: readonly FunctionArgument[];
  /** `"public"."find_item"("qr_id_param" => $1::text)`. */
  readonly callSql: string;
  /** The whole statement, for a result without selectable rows. */
  readonly statement: NamedText;
  /** The same for a function that does not set the response's status or headers. */
  readonly shortStatement: NamedText;
}

/** A prepared statement. Each name stands for one text. */
interface NamedText {
  readonly name: string;
  readonly text: string;
}

const MOST_PLANS = 500;
/** Keyed by schema, so that a reloaded schema gets new plans and the old ones are collected. */
const plansOf = new WeakMap<Schema, Map<string, CallPlan>>();

export interface AskedCall {
  readonly name: string;
  /** The names of the arguments; null for a body that only a function can take that takes it as a whole. */
  readonly given: readonly string[] | null;
  /** The body's kind, which a function may take as a whole; null without a body. */
  readonly body: BodyKind | null;
  readonly role: ApiRole;
}

/**
 * Returns the plan for a function and the names of its arguments. Throws PGRST202 where no overload matches and
 * PGRST203 where several do. The errors name only what the role knows.
 */
export function planCall(schema: Schema, asked: AskedCall): CallPlan {
  const { name, given, body } = asked;
  let plans = plansOf.get(schema);
  if (plans === undefined) {
    plans = new Map();
    plansOf.set(schema, plans);
  }
  const key = [body ?? 'query', name, given === null ? 'whole' : 'split', ...(given ?? [])].join('\0');
  const known = plans.get(key);
  if (known !== undefined) return known;
  const plan = makePlan(chooseFunction(schema, asked), new Set(given ?? []));
  // Bounded, because a client could send the same names in ever new orders.
  if (plans.size < MOST_PLANS) plans.set(key, plan);
  return plan;
}

function makePlan(called: StoredFunction, names: ReadonlySet<string>): CallPlan {
  const given = called.takesBody !== null ? called.arguments : called.arguments.filter(({ name }) => names.has(name));
  const callSql = `${called.sql}(${given.map(argumentSql).join(', ')})`;
  const statement = namedText(wholeStatement(called, callSql));
  return {
    called,
    given,
    callSql,
    statement,
    shortStatement: namedText(`select ${valueSql(called, callSql)} as body`),
  };
}

function argumentSql({ name, sql, type, variadic, fromJson }: FunctionArgument, index: number): string {
  const placeholder = `$${index + 1}`;
  const value = fromJson
    ? `(select value from json_to_record(${placeholder}::json) as given(value ${type}))`
    : `${placeholder}::${type}`;
  return `${variadic ? 'variadic ' : ''}${name === '' ? '' : `${sql} => `}${value}`;
}

const names = new Map<string, NamedText>();

/** Bounded by the number of functions and their argument lists, which the operator controls. */
function namedText(text: string): NamedText {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `rest_call_${names.size + 1}`;
  const made = { name, text };
  names.set(text, made);
  return made;
}

/** The function is in the `from` clause, so that it has run before the response settings are read. */
function wholeStatement(called: StoredFunction, callSql: string): string {
  const body = called.result.kind === 'void' ? `'null'` : valueSql(called, TARGET);
  return `select ${body} as body, 1 as affected, null::int as total,
  ${RESPONSE_SETTINGS} from ${callSql} as ${TARGET}`;
}

/** JSON results are used as they are, without a conversion. */
function valueSql({ result }: StoredFunction, value: string): string {
  return result.kind === 'scalar' && result.json ? `${value}::text` : `to_json(${value})::text`;
}

/**
 * A function that takes the whole body is chosen where its parts fit no other. As in PostgREST, JSON whose only key is
 * the empty name of its argument fits it too, whatever the argument's type.
 */
function chooseFunction(schema: Schema, { name, given, body, role }: AskedCall): StoredFunction {
  const overloads = schema.functions.get(name) ?? [];
  const byNames = overloads.filter(
    ({ takesBody, arguments: all }) =>
      (takesBody === null || body === 'json') &&
      given !== null &&
      given.every((argument) => all.some((known) => known.name === argument)) &&
      all.every((argument) => !argument.required || given.includes(argument.name)),
  );
  const byBody = overloads.filter(({ takesBody }) => takesBody !== null && takesBody === body);
  const fitting = byNames.length > 0 ? byNames : byBody;
  const [only, ...others] = fitting;
  if (others.length > 0) {
    throw functionAmbiguous(
      fitting
        .filter(({ knownTo }) => knownTo.has(role))
        .map(argumentList)
        .toSorted()
        .map((list) => `${schema.name}.${name}(${list})`),
    );
  }
  if (only !== undefined) return only;
  const sorted = (given ?? []).toSorted();
  const meant = given === null ? null : meantCall(schema, name, sorted, role);
  throw functionNotFound(schema.name, name, { given: sorted, body, meant });
}

/** Returns a hint: a similar argument list or a similar function. */
function meantCall(schema: Schema, name: string, given: readonly string[], role: ApiRole): string | null {
  const known = (overloads: readonly StoredFunction[]) => overloads.filter(({ knownTo }) => knownTo.has(role));
  const listed = (names: readonly string[]) => `(${names.toSorted().join(', ')})`;
  const all = schema.functions.get(name);
  // A function of a row has this name. It is read with its row and not called, so another name would lead astray.
  if (all?.length === 0) return null;
  const overloads = known(all ?? []);
  if (overloads.length === 0) {
    const others = [...schema.functions].filter(([, named]) => known(named).length > 0);
    return closestName(
      name,
      others.map(([other]) => other),
    );
  }
  const lists = overloads.map(({ arguments: all }) => listed(all.map((argument) => argument.name)));
  const list = closestName(listed(given), lists);
  return list === null ? null : `${name}${list}`;
}

function argumentList({ arguments: all }: StoredFunction): string {
  return all.map(({ name, type }) => `${name} => ${type}`).join(', ');
}
