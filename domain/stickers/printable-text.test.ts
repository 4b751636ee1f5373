import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import { textWidth, unprintableCharacters } from './printable-text.ts';

test('characters that the typeface lacks are named once each, in their order', () => {
  expect(unprintableCharacters('Zoë’s bag – 20 €')).toEqual([]);
  expect(unprintableCharacters('שלום 🙂 שלום ☂')).toEqual(['ש', 'ל', 'ו', 'ם', '🙂', '☂']);
  expect(unprintableCharacters('tab\tand\nline')).toEqual(['\t', '\n']);
  expect(unprintableCharacters('combined: e\u0301')).toEqual([]);
});

test('a character is as wide as in the PDF', () => {
  const document = new PDFDocument().font('Helvetica-Bold').fontSize(1_000);
  const printable = Array.from({ length: 0x2200 }, (_, code) => String.fromCodePoint(code)).filter(
    (character) => character.normalize() === character && unprintableCharacters(character).length === 0,
  );
  expect(printable.length).toBeGreaterThan(200);
  for (const character of printable) {
    expect(textWidth(character) * 1_000, character).toBeCloseTo(document.widthOfString(character), 3);
  }
});
