import type { Scanner } from './scanner.ts';
import type { FieldPath, JsonStep } from './tree.ts';

/** `column`, `column->key->0->>key`. */
export function parseFieldPath(scanner: Scanner): FieldPath {
  return { column: scanner.name(), steps: parseJsonSteps(scanner) };
}

export function parseJsonSteps(scanner: Scanner): readonly JsonStep[] {
  if (!scanner.sees('->')) return NONE;
  const steps: JsonStep[] = [];
  for (;;) {
    const arrow = scanner.eat('->>') ? '->>' : scanner.eat('->') ? '->' : null;
    if (arrow === null) return steps;
    steps.push({ arrow, key: scanner.integer() ?? scanner.name() });
  }
}

const NONE: readonly JsonStep[] = [];
