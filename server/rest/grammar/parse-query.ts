import { rangeNotSatisfiable, repeatedParameter, tooComplex, unparsable } from '../errors.ts';
import { parseFilter, parseLogic } from './parse-condition.ts';
import { parseFieldPath } from './parse-field-path.ts';
import { parseOrder } from './parse-order.ts';
import { parseSelect } from './parse-select.ts';
import { Scanner } from './scanner.ts';
import type { Parameter } from './split-query-string.ts';
import type { Condition, Query } from './tree.ts';

const MOST_CONDITIONS = 500;
/** Parameters that mean one thing, so that a second one could only contradict the first. */
const ONCE = ['select', 'order', 'limit', 'offset', 'columns', 'on_conflict'] as const;
type Once = (typeof ONCE)[number];

/** Reads a whole query string into a tree. Throws PGRST100 for what is not in the grammar. */
export function parseQuery(parameters: readonly Parameter[]): Query {
  const once = new Map<Once, string>();
  const conditions: Condition[] = [];
  const relationParameters: string[] = [];

  for (const [name, value] of parameters) {
    const single = ONCE.find((known) => known === name);
    if (single !== undefined) {
      if (once.has(single)) throw repeatedParameter(single);
      once.set(single, value);
      continue;
    }
    const logic = LOGIC[name];
    if (logic !== undefined) {
      conditions.push(parseLogic(logic.kind, logic.negated, value));
      continue;
    }
    const scanner = new Scanner(name, 'filter');
    const path = parseFieldPath(scanner);
    if (scanner.sees('.')) relationParameters.push(path.column);
    else if (scanner.atEnd) conditions.push(parseFilter(path, value));
    else scanner.fail('end of input');
  }
  if (conditions.length > MOST_CONDITIONS) throw tooComplex(`It has more than ${MOST_CONDITIONS} conditions.`);

  const order = once.get('order');
  return {
    select: parseSelect(once.get('select') ?? null),
    conditions,
    order: order === undefined || order === '' ? [] : parseOrder(order),
    limit: parseCount('limit', once.get('limit')),
    offset: parseCount('offset', once.get('offset')) ?? 0,
    columns: parseNames('columns', once.get('columns')),
    onConflict: parseNames('on_conflict', once.get('on_conflict')),
    relationParameters,
  };
}

const LOGIC: Readonly<Record<string, { kind: 'and' | 'or'; negated: boolean }>> = Object.assign(Object.create(null), {
  and: { kind: 'and', negated: false },
  or: { kind: 'or', negated: false },
  'not.and': { kind: 'and', negated: true },
  'not.or': { kind: 'or', negated: true },
});

/** 2^53 rows are more than any table has, and all of them are exact numbers. */
const COUNT = /^\d{1,15}$/;

function parseCount(name: string, text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (COUNT.test(text)) return Number(text);
  if (/^-\d+$/.test(text)) throw rangeNotSatisfiable(`The ${name} is negative.`);
  throw unparsable(`${name} parameter`, text, 1, `unexpected "${[...text][0] ?? ''}" expecting integer`);
}

function parseNames(name: string, text: string | undefined): readonly string[] | null {
  if (text === undefined || text === '') return null;
  const scanner = new Scanner(text, `${name} parameter`);
  const names = scanner.list(() => scanner.name());
  scanner.expectEnd();
  return names;
}
