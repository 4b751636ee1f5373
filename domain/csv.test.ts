import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('quotes what would break a line, and leaves null empty', () => {
  expect(csvLine(['plain', 'a, b', 'say "hi"', 'two\nlines', null, 7, -7, ''])).toBe(
    'plain,"a, b","say ""hi""","two\nlines",,7,-7,\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('%j is a text, not a formula', (text) => {
  const [cell = ''] = csvLine([text]).split('\r\n');
  expect(cell.replace(/^"/, '')).toMatch(/^'/);
});
