import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogueTexts, textsMatch } from './catalogue-texts.ts';
import { filesOf, readProofs } from './proofs.ts';
import { readRequirements } from './requirements.ts';
import { isTest } from './test-titles.ts';

const root = join(import.meta.dirname, '../..');
const requirements = readRequirements(readFileSync(join(root, 'docs/specification.md'), 'utf8'));
const proofs = readProofs('specification-proofs.txt');
// What the database makes at registration it names itself.
const inSql = readFileSync(join(root, 'database/functions/codes/tag_at_registration.sql'), 'utf8').matchAll(
  /'((?:[^'\n]|'')+)'/g,
);
const texts = [...catalogueTexts(), ...[...inSql].map(([, text = '']) => text)];

test('every section of the specification has its rows, numbered without a gap', () => {
  expect([...new Set(requirements.map(({ section }) => section))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const section of new Set(requirements.map((row) => row.section))) {
    const rows = requirements.filter((row) => row.section === section);
    expect(rows.map((row) => row.place)).toEqual(rows.map((_, index) => index + 1));
  }
});

describe('a row of the specification', () => {
  test.for(requirements.map((row) => [row.id, row] as const))('%s: its texts are in the catalogue', ([, row]) => {
    expect(row.texts.filter((text) => !texts.some((known) => textsMatch(text, known)))).toEqual([]);
  });

  test.for(requirements.map((row) => [row.id, row] as const))('%s: its proof exists', ([, row]) => {
    expect(row.files, 'the files of its tests').not.toEqual([]);
    const listed = proofs.filter(({ id }) => id === row.id);
    expect(listed.filter((proof) => !isTest(proof))).toEqual([]);
    const files = listed.map(({ id, file }) => ({ id, files: [file] }));
    expect(filesOf(row.id, [row])).toEqual(filesOf(row.id, files));
  });
});

test('each text of section 8 is looked for by a test that its row names', () => {
  const missing = requirements
    .filter(({ section }) => section === 8)
    .flatMap(({ id, texts: wanted, files }) => {
      const tests = files.map((file) => readFileSync(join(root, file), 'utf8'));
      // The part of a text that has no hole in it.
      const parts = wanted.map((text) => text.split('{')[0]?.trim() ?? '');
      return parts.filter((part) => !tests.some((source) => source.includes(part))).map((part) => `${id}: ${part}`);
    });
  expect(missing).toEqual([]);
});

test('every listed test belongs to a row', () => {
  const ids = requirements.map(({ id }) => id);
  expect(proofs.filter(({ id }) => !ids.includes(id))).toEqual([]);
});

test('a text that the catalogue lacks, and the file of a test, would be found', () => {
  const [row] = readRequirements("| 1.1 | Says 'Never written anywhere'. | | `tests/none.test.ts` |\n");
  expect(row?.texts.some((text) => texts.some((known) => textsMatch(text, known)))).toBe(false);
  expect(row?.files).toEqual(['tests/none.test.ts']);
});
