import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import type { Proof } from './proofs.ts';

const root = join(import.meta.dirname, '../..');
const known = new Map<string, ReadonlySet<string>>();

/** The part of a syntax tree that is read here. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly callee?: Node;
  readonly object?: Node;
  readonly tag?: Node;
  readonly arguments?: readonly Node[];
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

/**
 * Whether a file has this test, or this group of tests, as code and not only as text. Other files, such as a benchmark,
 * a fixture, or a table of policies, only need to contain the text.
 */
export function isTest({ file, title }: Proof): boolean {
  if (!/\.(test|spec)\.tsx?$/.test(file)) return readFileSync(join(root, file), 'utf8').includes(title);
  let titles = known.get(file);
  if (titles === undefined) {
    titles = titlesIn(readFileSync(join(root, file), 'utf8'), file);
    known.set(file, titles);
  }
  return titles.has(title);
}

/** The titles of the tests and groups of a file, with their `%s`. */
export function titlesIn(source: string, file = 'a.test.ts'): ReadonlySet<string> {
  const titles = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    if (node.type === 'CallExpression' && isTestFunction(node.callee)) {
      const [first] = node.arguments ?? [];
      if (first?.type === 'Literal' && typeof first.value === 'string') titles.add(first.value);
      if (first?.type === 'TemplateLiteral')
        titles.add((first.quasis ?? []).map((quasi) => quasi.value.cooked).join('%s'));
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync(file, source).program);
  return titles;
}

/** `test`, `test.each(rows)`, `describe.skipIf(…)` and the like. */
function isTestFunction(callee: Node | undefined): boolean {
  if (callee === undefined) return false;
  if (callee.type === 'Identifier') return /^(test|it|describe)$/.test(callee.name ?? '');
  return isTestFunction(callee.object ?? callee.callee ?? callee.tag);
}
