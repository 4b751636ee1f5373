import type { Scanner } from './scanner.ts';
import { PLAIN, QUANTIFIABLE, TEXT_SEARCH, type Test, TRUTHS } from './tree.ts';

/**
 * Reads a value: a filter's value extends to the end of the parameter, a value in a logic tree to the next comma or
 * parenthesis.
 */
export type ValueParser = (scanner: Scanner) => string;

const OPERATORS = 'operator (eq, gt, ...)';

/** Parses what follows a field and its dot: `eq.5`, `in.(1,2)`, `is.null`, `like(any).{a*,b*}`, `fts(english).word`. */
export function parseTest(scanner: Scanner, value: ValueParser): Test {
  const plain = scanner.eatWord(PLAIN, ['.']);
  if (plain !== null) return { kind: 'binary', operator: plain, value: afterDot(scanner, value) };

  const quantifiable = scanner.eatWord(QUANTIFIABLE, ['.', '(']);
  if (quantifiable !== null) {
    const quantifier = scanner.eat('(any)') ? 'any' : scanner.eat('(all)') ? 'all' : null;
    const operand = afterDot(scanner, value);
    return quantifier === null
      ? { kind: 'binary', operator: quantifiable, value: operand }
      : { kind: 'quantified', operator: quantifiable, quantifier, value: operand };
  }

  if (scanner.eatWord(['in'], ['.']) !== null) {
    scanner.expect('.');
    return { kind: 'in', values: parseValueList(scanner) };
  }

  if (scanner.eatWord(['is'], ['.']) !== null) {
    scanner.expect('.');
    const truth = scanner.match(WORD)?.[0].toLowerCase();
    const known = TRUTHS.find((name) => name === truth);
    if (known === undefined) return scanner.fail('null, not_null, true, false or unknown');
    return { kind: 'is', truth: known };
  }

  const search = scanner.eatWord(TEXT_SEARCH, ['.', '(']);
  if (search === null) return scanner.fail(OPERATORS);
  let config: string | null = null;
  if (scanner.eat('(')) {
    config = scanner.match(CONFIG)?.[0] ?? scanner.fail('a text search configuration');
    scanner.expect(')');
  }
  return { kind: 'text-search', operator: search, config, value: afterDot(scanner, value) };
}

const WORD = /[A-Za-z_]+/y;
const CONFIG = /[A-Za-z0-9_]+/y;
const LIST_ELEMENT = /[^,)]*/uy;

function afterDot(scanner: Scanner, value: ValueParser): string {
  scanner.expect('.');
  return value(scanner);
}

/** Parses `(a,"b,c",d)`; `()` is the empty list. */
function parseValueList(scanner: Scanner): string[] {
  scanner.expect('(');
  if (scanner.eat(')')) return [];
  const values = scanner.list(() => scanner.quoted() ?? scanner.match(LIST_ELEMENT)?.[0] ?? '');
  scanner.expect(')');
  return values;
}
