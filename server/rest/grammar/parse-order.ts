import { parseFieldPath } from './parse-field-path.ts';
import { Scanner } from './scanner.ts';
import type { OrderTerm } from './tree.ts';

/** `order=created_at.desc.nullslast,id`. */
export function parseOrder(text: string): readonly OrderTerm[] {
  const scanner = new Scanner(text, 'order');
  const terms = scanner.list((): OrderTerm => {
    const path = parseFieldPath(scanner);
    const descending = scanner.eat('.desc');
    if (!descending) scanner.eat('.asc');
    const nulls = scanner.eat('.nullsfirst') ? 'first' : scanner.eat('.nullslast') ? 'last' : null;
    return { path, descending, nulls };
  });
  scanner.expectEnd();
  return terms;
}
