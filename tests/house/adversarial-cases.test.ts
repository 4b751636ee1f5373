import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, readProofs } from './proofs.ts';
import { isTest, titlesIn } from './test-titles.ts';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/adversarial-cases.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-K]\d+ \|/.test(line))
  .map((line) => ({
    line,
    id: line.slice(2, line.indexOf(' |', 2)),
    files: [...(line.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }));
const proofs = readProofs('adversarial-proofs.txt');

test('every case has its rows', () => {
  const cases = [
    'A4',
    'A7',
    'A9',
    'A10',
    'A11',
    'B14',
    'B15',
    'B16',
    'B17',
    'B19',
    'B20',
    'C22',
    'C23',
    'C25',
    'C28',
    'D30',
    'D31',
    'D32',
    'D34',
    'D35',
    'D36',
    'E37',
    'E39',
    'E40',
    'E41',
    'F42',
    'F43',
    'F45',
    'G47',
    'G48',
    'G49',
    'G50',
    'H51',
    'H52',
    'H53',
    'I56',
    'I57',
    'I58',
    'I59',
    'J61',
    'J63',
    'J65',
    'J66',
    'K1',
    'K2',
    'K3',
    'K4',
    'K5',
    'K6',
    'K7',
    'K8',
    'K9',
    'K10',
    'K11',
    'K12',
    'K13',
    'K14',
    'K15',
    'K16',
    'K17',
    'K18',
    'K20',
    'K21',
    'K22',
    'K23',
    'K24',
    'K25',
    'K26',
    'K27',
    'K28',
    'K29',
    'K30',
    'K31',
    'K32',
    'K33',
    'K34',
    'K35',
    'K36',
    'K37',
    'K38',
    'K40',
    'K41',
    'K42',
    'K43',
    'K44',
    'K45',
    'K46',
    'K47',
    'K48',
    'K49',
    'K50',
    'K51',
    'K52',
    'K53',
    'K54',
    'K55',
    'K56',
    'K57',
    'K58',
    'K59',
    'K60',
    'K61',
    'K62',
    'K70',
    'K71',
    'K72',
    'K73',
    'K74',
    'K75',
    'K76',
    'K77',
    'K78',
    'K90',
    'K91',
    'K92',
    'K93',
    'K94',
    'K95',
    'K96',
    'K97',
    'K98',
  ];
  expect([...new Set(rows.map(({ id }) => id))]).toEqual(cases);
});

test.for(rows.map(({ id, line, files }) => [`${id}: ${line.split(' | ')[1]}`, files] as const))('%s', ([, files]) => {
  expect(files, 'the files of its tests').not.toEqual([]);
});

test.for(proofs.map((proof) => [`${proof.id}: ${proof.file} › ${proof.title}`, proof] as const))('%s', ([, proof]) => {
  expect(isTest(proof)).toBe(true);
});

test('the page and the list of tests name the same files for each case', () => {
  const listed = proofs.map(({ id, file }) => ({ id, files: [file] }));
  const ids = [...new Set([...rows, ...proofs].map(({ id }) => id))];
  expect(ids.map((id) => [id, filesOf(id, rows)])).toEqual(ids.map((id) => [id, filesOf(id, listed)]));
});

test('a title that stands in a comment or a string is no test', () => {
  const source = "// test('in a comment')\nconst text = 'in a string';\ntest.each([1])('of a table: %s', () => text);";
  expect([...titlesIn(source)]).toEqual(['of a table: %s']);
});
