/**
 * The supported filter operators. `match` and `imatch` are left out: a malicious pattern could block all other
 * subscribers.
 */
const FILTER_OPERATORS = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'like', 'ilike', 'is', 'isdistinct'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export interface Condition {
  readonly column: string;
  readonly negated: boolean;
  readonly operator: FilterOperator;
  /** One value, or a list for `in`. */
  readonly value: string | readonly string[];
}

export type ParsedFilter =
  | { readonly ok: true; readonly conditions: readonly Condition[] }
  | { readonly ok: false; readonly message: string };

/**
 * A comma separates two conditions only where another `column=operator.` follows, because an unquoted value may contain
 * commas.
 */
const NEXT_CONDITION = new RegExp(`^,[^,=()"]+=(?:not\\.)?(?:${FILTER_OPERATORS.join('|')}|match|imatch)\\.`);

/**
 * Parses `column=op.value`. Several conditions are separated by commas and must all hold. A value that contains a
 * comma, a parenthesis or a quote can be double-quoted, with `\` before a quote or a backslash.
 *
 * ```ts
 * parseFilter('status=in.(lost,found),name=eq."Smith, John"');
 * ```
 */
export function parseFilter(filter: string): ParsedFilter {
  const conditions: Condition[] = [];
  for (const text of splitConditions(filter)) {
    const condition = parseCondition(text);
    if (Array.isArray(condition)) {
      return { ok: false, message: `Error parsing \`filter\` params: ${listOf(condition)}` };
    }
    conditions.push(condition);
  }
  return { ok: true, conditions };
}

/** Returns a condition, or the unreadable pieces for the error message. */
function parseCondition(text: string): Condition | string[] {
  const equals = text.indexOf('=');
  if (equals <= 0) return [text];
  const column = text.slice(0, equals);
  const rest = text.slice(equals + 1);
  const negated = rest.startsWith('not.');
  const body = negated ? rest.slice(4) : rest;
  const dot = body.indexOf('.');
  if (dot < 0) return [body];
  const name = body.slice(0, dot);
  const given = body.slice(dot + 1);
  const operator = FILTER_OPERATORS.find((known) => known === name);
  if (operator === undefined) return [name, given];
  if (operator !== 'in') return { column, negated, operator, value: unquote(given) };
  const list = /^\((.*)\)$/s.exec(given)?.[1];
  const value = list === undefined ? null : splitList(list);
  return value === null ? [name, given] : { column, negated, operator, value };
}

function splitConditions(filter: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < filter.length; at += 1) {
    const character = filter[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = quoted ? false : startsValue(filter, at);
    else if (character === ',' && !quoted && NEXT_CONDITION.test(filter.slice(at, at + 300))) {
      parts.push(filter.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(filter.slice(start));
  return parts;
}

/** A quote is special only at the beginning of a value. */
function startsValue(filter: string, at: number): boolean {
  const before = filter[at - 1];
  return before === '.' || before === '(' || before === ',';
}

/** Returns the entries of an `in` list, or null where a quote is not closed. */
function splitList(list: string): string[] | null {
  const entries: string[] = [];
  const entry = /(\s*"(?:[^"\\]|\\.)*"\s*|[^,"]*)(,|$)/sy;
  while (entry.lastIndex <= list.length) {
    const found = entry.exec(list);
    if (found === null) return null;
    entries.push(unquote((found[1] ?? '').trim()));
    if (found[2] === '') return entries;
  }
  return entries;
}

function unquote(value: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"$/s.exec(value)?.[1];
  return inner === undefined ? value : inner.replace(/\\(.)/gs, '$1');
}

function listOf(parts: readonly string[]): string {
  return `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`;
}
