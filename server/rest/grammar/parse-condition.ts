import { parseFieldPath } from './parse-field-path.ts';
import { parseTest } from './parse-operator.ts';
import { Scanner } from './scanner.ts';
import type { Condition, FieldPath } from './tree.ts';

/** Parses a filter parameter. `path` is the parsed key, `text` its value, such as `not.eq.5`. */
export function parseFilter(path: FieldPath, text: string): Condition {
  const scanner = new Scanner(text, 'filter');
  const negated = scanner.eat('not.');
  const test = parseTest(scanner, (at) => at.rest());
  scanner.expectEnd();
  return { kind: 'test', negated, path, test };
}

/** Parses `and=(…)`, `or=(…)`, `not.and=(…)` or `not.or=(…)`. `text` is the value with its parentheses. */
export function parseLogic(kind: 'and' | 'or', negated: boolean, text: string): Condition {
  const scanner = new Scanner(text, 'logic tree');
  const parts = parseParts(scanner);
  scanner.expectEnd();
  return { kind, negated, parts };
}

function parseParts(scanner: Scanner): Condition[] {
  scanner.expect('(');
  const parts = scanner.nested(() => scanner.list(() => parsePart(scanner)));
  scanner.expect(')');
  return parts;
}

function parsePart(scanner: Scanner): Condition {
  let negated = scanner.eat('not.');
  const kind = scanner.eatWord(['and', 'or'], ['(']);
  if (kind !== null) return { kind, negated, parts: parseParts(scanner) };
  const path = parseFieldPath(scanner);
  scanner.expect('.');
  if (scanner.eat('not.')) negated = !negated;
  return { kind: 'test', negated, path, test: parseTest(scanner, parseLogicValue) };
}

const ARRAY = /\{[^{}]*\}/uy;
const UP_TO_SEPARATOR = /[^,)]*/uy;

function parseLogicValue(scanner: Scanner): string {
  const quoted = scanner.quoted();
  if (quoted !== null) return quoted;
  return scanner.match(ARRAY)?.[0] ?? scanner.match(UP_TO_SEPARATOR)?.[0] ?? '';
}
