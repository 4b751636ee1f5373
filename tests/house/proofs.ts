import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test that proves what a row of a document says. */
export interface Proof {
  /** The row: `A4`, or `2.13`. */
  readonly id: string;
  readonly file: string;
  readonly title: string;
}

/** The tests that a list beside the house tests names. `A4 tests/a.test.ts › a title` is a test of the row A4. */
export function readProofs(list: string): readonly Proof[] {
  return readFileSync(join(import.meta.dirname, list), 'utf8')
    .trimEnd()
    .split('\n')
    .map(readProof);
}

function readProof(line: string): Proof {
  const [, id = '', file = '', title = ''] = /^(\S+) (\S+) › (.+)$/.exec(line) ?? [];
  return { id, file, title };
}

/** The files that rows of this id name, each once and in order. */
export function filesOf(
  id: string,
  named: readonly { readonly id: string; readonly files: readonly string[] }[],
): readonly string[] {
  return [...new Set(named.flatMap((row) => (row.id === id ? row.files : [])))].sort();
}
