import { parseJsonSteps } from './parse-field-path.ts';
import { Scanner } from './scanner.ts';
import { AGGREGATES, type Aggregate, type SelectItem } from './tree.ts';

const ALL: readonly SelectItem[] = [{ kind: 'all' }];

/** Parses `select=`: fields, casts, aggregates and embedded relations. A missing or empty value selects everything. */
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
  // One colon ends an alias; two begin a cast.
  if (!spread && scanner.sees(':') && !scanner.sees('::')) {
    scanner.expect(':');
    alias = name;
    name = scanner.name();
  }
  if (scanner.sees('!') || (scanner.sees('(') && !(name === 'count' && scanner.sees('()')))) {
    return parseRelation(scanner, name, alias, spread);
  }
  if (spread) scanner.fail('"("');

  if (scanner.eat('()')) {
    // `count()` counts rows and has no field.
    const path = { column: '', steps: [] };
    return { kind: 'field', path, alias, cast: null, aggregate: { name: 'count', cast: parseCast(scanner) } };
  }
  const steps = parseJsonSteps(scanner);
  const cast = parseCast(scanner);
  return { kind: 'field', path: { column: name, steps }, alias, cast, aggregate: parseAggregate(scanner) };
}

function parseCast(scanner: Scanner): string | null {
  return scanner.eat('::') ? scanner.name() : null;
}

/** Parses `.sum()` after a field. */
function parseAggregate(scanner: Scanner): Aggregate | null {
  if (!scanner.eat('.')) return null;
  const name = scanner.eatWord(AGGREGATES, ['()']) ?? scanner.fail('an aggregate function');
  scanner.expect('()');
  return { name, cast: parseCast(scanner) };
}

function parseRelation(scanner: Scanner, relation: string, alias: string | null, spread: boolean): SelectItem {
  const hints: string[] = [];
  while (scanner.eat('!')) hints.push(scanner.name());
  scanner.expect('(');
  const select = scanner.nested(() => (scanner.sees(')') ? [] : scanner.list(() => parseItem(scanner))));
  scanner.expect(')');
  return { kind: 'relation', relation, alias, hints, spread, select };
}
