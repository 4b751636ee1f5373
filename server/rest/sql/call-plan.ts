import { functionAmbiguous, functionNotFound } from '../errors.ts';
import type { FunctionArgument, Schema, StoredFunction } from '../schema-cache/schema.ts';
import { RESPONSE_SETTINGS } from './answer-sql.ts';
import { TARGET } from './read-node.ts';

/** How a function is called with arguments of these names: found once, used for every call alike. */
export interface CallPlan {
  readonly called: StoredFunction;
  /** The arguments that are given, in the order of their placeholders. */
  readonly given: readonly FunctionArgument[];
  /** `"public"."find_item"("qr_id_param" => $1::text)`. */
  readonly callSql: string;
  /** A whole statement for a result that is no rows to choose from. */
  readonly statement: NamedText;
  /** The same for a function that says nothing of the answer beside its value. */
  readonly shortStatement: NamedText;
}

/** The name stands for this text alone. */
interface NamedText {
  readonly name: string;
  readonly text: string;
}

const MOST_PLANS = 500;
/** A schema that is read again has plans of its own; those of the old one go with it. */
const plansOf = new WeakMap<Schema, Map<string, CallPlan>>();

/** The plan for a function and the names of its arguments. Throws PGRST202 where none fits, PGRST203 where several do. */
export function planCall(schema: Schema, name: string, given: readonly string[]): CallPlan {
  let plans = plansOf.get(schema);
  if (plans === undefined) {
    plans = new Map();
    plansOf.set(schema, plans);
  }
  const key = given.length === 0 ? name : `${name}\0${given.join('\0')}`;
  const known = plans.get(key);
  if (known !== undefined) return known;
  const plan = makePlan(chooseFunction(schema, name, given), new Set(given));
  // Ever new orders of the same names are no reason to remember them all.
  if (plans.size < MOST_PLANS) plans.set(key, plan);
  return plan;
}

function makePlan(called: StoredFunction, names: ReadonlySet<string>): CallPlan {
  const given = called.arguments.filter((argument) => names.has(argument.name));
  const callSql = `${called.sql}(${given.map(({ sql, type }, index) => `${sql} => $${index + 1}::${type}`).join(', ')})`;
  const statement = namedText(wholeStatement(called, callSql));
  return {
    called,
    given,
    callSql,
    statement,
    shortStatement: namedText(`select ${valueSql(called, callSql)} as body`),
  };
}

const names = new Map<string, NamedText>();

/** As many as there are functions and ways to call them, which is what the operator made. */
function namedText(text: string): NamedText {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `rest_call_${names.size + 1}`;
  const made = { name, text };
  names.set(text, made);
  return made;
}

/** The function stands in `from`, so that it has run when the settings that it may have made are read. */
function wholeStatement(called: StoredFunction, callSql: string): string {
  const body = called.result.kind === 'void' ? `'null'` : valueSql(called, TARGET);
  return `select ${body} as body, 1 as affected, null::int as total,
  ${RESPONSE_SETTINGS} from ${callSql} as ${TARGET}`;
}

/** Its own JSON text is the answer where it gives JSON: the shortest way there is. */
function valueSql({ result }: StoredFunction, value: string): string {
  return result.kind === 'scalar' && result.json ? `${value}::text` : `to_json(${value})::text`;
}

function chooseFunction(schema: Schema, name: string, given: readonly string[]): StoredFunction {
  const fitting = (schema.functions.get(name) ?? []).filter(
    ({ arguments: all }) =>
      given.every((argument) => all.some((known) => known.name === argument)) &&
      all.every((argument) => !argument.required || given.includes(argument.name)),
  );
  const [only, ...others] = fitting;
  if (only === undefined) throw functionNotFound(schema.name, name, given.toSorted());
  if (others.length > 0) throw functionAmbiguous(fitting.map(signature).toSorted());
  return only;
}

function signature({ sql, arguments: all }: StoredFunction): string {
  return `${sql}(${all.map(({ name, type }) => `${name} => ${type}`).join(', ')})`;
}
