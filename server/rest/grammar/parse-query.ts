import { repeatedParameter, tooComplex } from '../errors.ts';
import { parseSelect } from './parse-select.ts';
import { isShapeWord, ShapeReader } from './read-shape.ts';
import { Scanner } from './scanner.ts';
import type { Parameter } from './split-query-string.ts';
import type { Condition, Query } from './tree.ts';

const MOST_CONDITIONS = 500;
/** Parameters that may occur once, because a second value would contradict the first. */
const ONCE = ['select', 'columns', 'on_conflict'] as const;
type Once = (typeof ONCE)[number];

/** Parses a query string into a tree. Throws PGRST100 where it does not match the grammar. */
export function parseQuery(parameters: readonly Parameter[]): Query {
  const once = new Map<Once, string>();
  const own = new ShapeReader();
  const embedded = new Map<string, { path: readonly string[]; reader: ShapeReader }>();

  for (const [name, value] of parameters) {
    const single = ONCE.find((known) => known === name);
    if (single !== undefined) {
      if (once.has(single)) throw repeatedParameter(single);
      once.set(single, value);
      continue;
    }
    const scanner = new Scanner(name, 'filter');
    const path = parseRelationPath(scanner);
    if (path.length === 0) {
      own.read(scanner, name, value);
      continue;
    }
    const key = JSON.stringify(path);
    const known = embedded.get(key) ?? { path, reader: new ShapeReader() };
    embedded.set(key, known);
    known.reader.read(scanner, name, value);
  }

  const shape = own.shape();
  const shapes = [...embedded.values()].map(({ path, reader }) => ({ path, ...reader.shape() }));
  const count = [shape, ...shapes].reduce((sum, { conditions }) => sum + countTests(conditions), 0);
  if (count > MOST_CONDITIONS) throw tooComplex(`It has more than ${MOST_CONDITIONS} conditions.`);
  return {
    ...shape,
    select: parseSelect(once.get('select') ?? null),
    columns: parseNames('columns', once.get('columns')),
    onConflict: parseNames('on_conflict', once.get('on_conflict')),
    embedded: shapes,
  };
}

/** Includes tests within logic trees. */
function countTests(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, one) => sum + (one.kind === 'test' ? 1 : countTests(one.parts)), 0);
}

/** Parses the relation names before the last part: `conversations.messages.` in `conversations.messages.order`. */
function parseRelationPath(scanner: Scanner): readonly string[] {
  const path: string[] = [];
  for (;;) {
    const start = scanner.position;
    if (isShapeWord(scanner)) return path;
    const name = scanner.name();
    if (!scanner.eat('.')) {
      scanner.position = start;
      return path;
    }
    path.push(name);
  }
}

function parseNames(name: string, text: string | undefined): readonly string[] | null {
  if (text === undefined || text === '') return null;
  const scanner = new Scanner(text, `${name} parameter`);
  const names = scanner.list(() => scanner.name());
  scanner.expectEnd();
  return names;
}
