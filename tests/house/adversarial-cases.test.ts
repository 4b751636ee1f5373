import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ATTEMPTS } from './adversarial-attempts.ts';
import { describeAdversarialCases } from './describe-adversarial-cases.ts';
import type { Proof } from './proofs.ts';
import { titlesIn } from './test-titles.ts';

const root = join(import.meta.dirname, '../..');
const proofs = globSync('{app,domain,server,tests,tools}/**/*.{test,spec}.{ts,tsx}', { cwd: root }).flatMap(readProofs);
const cases = Object.values(ATTEMPTS).flatMap(Object.keys);

test('docs/adversarial-cases.md lists the tests by their numbers (rewrite it with `npx vitest run tests/house/adversarial-cases -u`)', async () => {
  await expect(describeAdversarialCases(proofs)).toMatchFileSnapshot('../../docs/adversarial-cases.md');
});

test('every case has a test', () => {
  expect(cases.filter((id) => !proofs.some((proof) => proof.id === id))).toEqual([]);
});

test('every number in a title is a case', () => {
  expect(proofs.filter(({ id }) => !cases.includes(id))).toEqual([]);
});

test('a title that stands in a comment or a string is no test', () => {
  const source = "// test('in a comment')\nconst text = 'in a string';\ntest.each([1])('of a table: %s', () => text);";
  expect([...titlesIn(source)]).toEqual(['of a table: %s']);
});

function readProofs(file: string): readonly Proof[] {
  const source = readFileSync(join(root, file), 'utf8');
  if (!/ \[[A-K]\d+\]/.test(source)) return [];
  return [...titlesIn(source, file)].flatMap((title) =>
    [...title.matchAll(/ \[([A-K]\d+)\]/g)].map(([, id = '']) => ({ id, file, title })),
  );
}
