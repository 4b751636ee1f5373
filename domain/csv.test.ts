import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, textOfCell } from './csv.ts';

test('quotes what would break a line, and leaves null empty', () => {
  expect(csvLine(['plain', 'a, b', 'say "hi"', 'two\nlines', null, 7, -7, ''])).toBe(
    'plain,"a, b","say ""hi""","two\nlines",,7,-7,\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('%j is a text, not a formula', (text) => {
  const cell = csvLine([text]);
  expect(cell.replace(/^"/, '').trimStart()).toMatch(/^'/);
});

/** What matters to a spreadsheet is frequent, and every other character possible. */
const texts = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'=+-@＝\'"";;,\t\r\n x1'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

/** The text of the only cell of a line (RFC 4180). */
function cellOf(line: string): string {
  const cell = line.slice(0, -2);
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

test.each(["'-x", "'=1+1", "''=1", 'x;=1+1', "x;'=1", 'a\n- b', '" =1', "O'Brien"])(
  '%j is read as it was written',
  (text) => {
    expect(textOfCell(cellOf(csvLine([text])))).toBe(text);
  },
);

test('every text is read as it was written', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(textOfCell(cellOf(csvLine([text])))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['x;=1+1', `"x;'=1+1"\r\n`],
  ['x\t=1+1', `"x\t'=1+1"\r\n`],
  ['x\r\n@SUM(A1)', `"x\r\n'@SUM(A1)"\r\n`],
  ['x;"=1+1"', `"x;'""=1+1"""\r\n`],
  ['x; y', '"x; y"\r\n'],
])('%j is no formula for a spreadsheet that splits it', (text, line) => {
  expect(csvLine([text])).toBe(line);
});

test('nowhere in a line does a formula begin, whatever separates the cells and whether quotes count', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (cells) => {
      for (const piece of csvLine(cells).split(/[;\t\r\n]/)) expect(piece).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
      for (const cell of cells) expect(cellOf(csvLine([cell]))).not.toMatch(/^[=+\-@＝＋－＠]/);
    }),
    { numRuns: 2_000 },
  );
});
