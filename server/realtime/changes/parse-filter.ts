/** What a filter may ask of a column. `match` and `imatch` are left out: a hostile pattern would hold up everybody. */
const FILTER_OPERATORS = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in', 'like', 'ilike', 'is', 'isdistinct'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export interface Condition {
  readonly column: string;
  readonly negated: boolean;
  readonly operator: FilterOperator;
  /** One value, or the list of an `in`. */
  readonly value: string | readonly string[];
}

export type ParsedFilter =
  | { readonly ok: true; readonly conditions: readonly Condition[] }
  | { readonly ok: false; readonly message: string };

/** A comma separates two conditions only where another `column=operator.` follows: an unquoted value may hold commas. */
const NEXT_CONDITION = new RegExp(`^,[^,=()"]+=(?:not\\.)?(?:${FILTER_OPERATORS.join('|')}|match|imatch)\\.`);

/**
 * Reads `column=op.value`, several of them joined by commas, each of which must hold. Values that hold a comma, a
 * bracket or a quote may stand in double quotes, with `\` before a quote or a backslash.
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

/** A condition, or the pieces that could not be read, as they are told to the client. */
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

/** A quote opens a quoted value only where a value begins; elsewhere it is a character of one. */
function startsValue(filter: string, at: number): boolean {
  const before = filter[at - 1];
  return before === '.' || before === '(' || before === ',';
}

/** The entries of an `in` list; null where a quote is not closed. */
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
