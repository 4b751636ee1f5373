import { repeatedParameter } from './errors.ts';
import type { Parameter } from './grammar/split-query-string.ts';
import { asRow, parseJsonText, readBodyText } from './request-body.ts';
import type { Schema } from './schema-cache/schema.ts';

export type GivenArguments = ReadonlyMap<string, unknown>;

/** The arguments of a call by POST: the keys of a JSON object, or nothing at all. */
export async function argumentsInBody(request: Request): Promise<GivenArguments> {
  const text = await readBodyText(request);
  if (text === '') return new Map();
  return new Map(Object.entries(asRow(parseJsonText(text))));
}

/** Parameters that shape the rows of a result and are never arguments. */
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
/** `eq.5`, `not.in.(1,2)`, `like(any).{a}`: the value of a filter. */
const FILTER_VALUE = /^(not\.)?[a-z]+(\([a-z0-9_]+\))?\./;

/**
 * Divides the parameters of a call by GET: those that an overload of the function takes are arguments, the others
 * shape its result. A stranger that does not look like a filter counts as an argument, so that no function takes it.
 */
export function argumentsInQuery(
  schema: Schema,
  name: string,
  parameters: readonly Parameter[],
): { given: GivenArguments; shaping: readonly Parameter[] } {
  const overloads = schema.functions.get(name) ?? [];
  const given = new Map<string, string>();
  const shaping: Parameter[] = [];
  for (const parameter of parameters) {
    const [key, value] = parameter;
    const isArgument = overloads.some(({ arguments: all }) => all.some((argument) => argument.name === key));
    if (!isArgument && (RESERVED.has(key) || FILTER_VALUE.test(value))) shaping.push(parameter);
    else if (given.has(key)) throw repeatedParameter(key);
    else given.set(key, value);
  }
  return { given, shaping };
}
