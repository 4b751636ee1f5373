import { repeatedParameter } from './errors.ts';
import type { Parameter } from './grammar/split-query-string.ts';
import { rawKind, readRawBody } from './raw-body.ts';
import { asRow, isRow, parseExactJson, readBodyText } from './request-body.ts';
import type { BodyKind, Schema } from './schema-cache/schema.ts';

type GivenArguments = ReadonlyMap<string, unknown>;

interface Body {
  readonly kind: BodyKind;
  readonly value: unknown;
  /** What a function receives that takes the whole body as text, XML or bytes. */
  readonly whole: unknown;
}

/**
 * Reads the arguments of a POST call: the keys of a JSON object, or an empty body. Null for a body that has no keys:
 * other JSON, text, XML or bytes, for a function that takes it as a whole. Throws PGRST102 for other JSON where no
 * overload takes it.
 */
export async function argumentsInBody(
  request: Request,
  schema: Schema,
  name: string,
): Promise<{ given: GivenArguments | null; body: Body }> {
  const raw = rawKind(request);
  if (raw !== null) {
    const whole = await readRawBody(request, raw);
    return { given: null, body: { kind: raw, value: whole, whole } };
  }
  const text = await readBodyText(request);
  const value = text === '' ? {} : parseExactJson(text);
  const takesJson = schema.functions.get(name)?.some(({ takesBody }) => takesBody === 'json') === true;
  const given = takesJson && !isRow(value) ? null : new Map(Object.entries(asRow(value)));
  return { given, body: { kind: 'json', value, whole: text } };
}

/** Parameters that shape the result and are never arguments. */
const RESERVED = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
  'and',
  'or',
  'not.and',
  'not.or',
]);
/** A PostgreSQL array literal. */
const LIST = /^\{.*\}$/s;
/** A filter value: `eq.5`, `not.in.(1,2)`, `like(any).{a}`. */
const FILTER_VALUE = /^(not\.)?[a-z]+(\([a-z0-9_]+\))?\./;

/**
 * Splits the parameters of a GET call into arguments, which some overload of the function accepts, and parameters that
 * shape the result.
 *
 * An unknown parameter that does not look like a filter counts as an argument, so that no function matches. A variadic
 * argument is one list, `v={1,2}`, or is repeated once per element.
 */
export function argumentsInQuery(
  schema: Schema,
  name: string,
  parameters: readonly Parameter[],
): { given: GivenArguments; shaping: readonly Parameter[] } {
  const overloads = schema.functions.get(name) ?? [];
  const takesMany = (key: string) =>
    overloads.some(({ arguments: all }) => all.some(({ name, variadic }) => variadic && name === key));
  const given = new Map<string, unknown>();
  const shaping: Parameter[] = [];
  for (const parameter of parameters) {
    const [key, value] = parameter;
    const isArgument = overloads.some(({ arguments: all }) => all.some((argument) => argument.name === key));
    const before = given.get(key);
    if (!isArgument && (RESERVED.has(key) || FILTER_VALUE.test(value))) shaping.push(parameter);
    else if (before === undefined) given.set(key, takesMany(key) && !LIST.test(value) ? [value] : value);
    else if (Array.isArray(before)) given.set(key, [...before, value]);
    else throw repeatedParameter(key);
  }
  return { given, shaping };
}
