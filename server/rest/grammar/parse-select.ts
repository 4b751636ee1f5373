import { parseJsonSteps } from './parse-field-path.ts';
import { Scanner } from './scanner.ts';
import type { SelectItem } from './tree.ts';

const ALL: readonly SelectItem[] = [{ kind: 'all' }];

/** `select=`: fields, casts, aggregates and embedded relations. Without one, or with an empty one, everything. */
export function parseSelect(text: string | null): readonly SelectItem[] {
  if (text === null || text === '') return ALL;
  const scanner = new Scanner(text, 'select parameter');
  const items = scanner.list(() => parseItem(scanner));
  scanner.expectEnd();
  return items;
}

function parseItem(scanner: Scanner): SelectItem {
  if (scanner.eat('*')) return { kind: 'all' };
  const spread = scanner.eat('...');
  let name = scanner.name();
  let alias: string | null = null;
  // One colon ends an alias, two begin a cast.
  if (!spread && scanner.sees(':') && !scanner.sees('::')) {
    scanner.expect(':');
    alias = name;
    name = scanner.name();
  }
  if (scanner.sees('!') || (scanner.sees('(') && !(name === 'count' && scanner.sees('()')))) {
    return parseRelation(scanner, name, alias, spread);
  }
  if (spread) scanner.fail('"("');

  const isCount = scanner.eat('()');
  const steps = isCount ? [] : parseJsonSteps(scanner);
  const cast = !isCount && scanner.eat('::') ? scanner.name() : null;
  let aggregate: string | null = isCount ? 'count' : null;
  if (!isCount && scanner.eat('.')) {
    aggregate = scanner.name();
    scanner.expect('()');
    // A cast after the aggregate applies to its result; both are refused with the aggregate itself.
    if (scanner.eat('::')) scanner.name();
  }
  return { kind: 'field', path: { column: isCount ? '' : name, steps }, alias, cast, aggregate };
}

function parseRelation(scanner: Scanner, relation: string, alias: string | null, spread: boolean): SelectItem {
  const hints: string[] = [];
  while (scanner.eat('!')) hints.push(scanner.name());
  scanner.expect('(');
  const select = scanner.nested(() => (scanner.sees(')') ? [] : scanner.list(() => parseItem(scanner))));
  scanner.expect(')');
  return { kind: 'relation', relation, alias, hints, spread, select };
}
