import { parseFieldPath } from './parse-field-path.ts';
import { Scanner } from './scanner.ts';
import type { OrderTerm } from './tree.ts';

/** `order=created_at.desc.nullslast,id,owner(name).asc`. */
export function parseOrder(text: string): readonly OrderTerm[] {
  if (text === '') return [];
  const scanner = new Scanner(text, 'order');
  const terms = scanner.list((): OrderTerm => {
    const field = parseOrderedField(scanner);
    const descending = scanner.eat('.desc');
    if (!descending) scanner.eat('.asc');
    const nulls = scanner.eat('.nullsfirst') ? 'first' : scanner.eat('.nullslast') ? 'last' : null;
    return { ...field, descending, nulls };
  });
  scanner.expectEnd();
  return terms;
}

function parseOrderedField(scanner: Scanner): Pick<OrderTerm, 'relation' | 'path'> {
  const path = parseFieldPath(scanner);
  if (path.steps.length > 0 || !scanner.eat('(')) return { relation: null, path };
  const inner = parseFieldPath(scanner);
  scanner.expect(')');
  return { relation: path.column, path: inner };
}
