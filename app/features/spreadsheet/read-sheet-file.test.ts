import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planItemSheet, type SheetItem, type SheetWords, writeItemSheet } from '#domain/item/item-sheet.ts';
import { english } from '#domain/language.ts';
import { spreadsheet } from '#domain/texts/screens/spreadsheet.ts';
import { readSheetFile } from './read-sheet-file.ts';

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const read = (content: BlobPart) => readSheetFile(new Blob([content]));

describe('readSheetFile', () => {
  it.each([
    ['commas', 'Name,Reward\r\nKlucze,"A, B"\r\n'],
    ['semicolons', 'Name;Reward\r\nKlucze;A, B\r\n'],
    ['tabs', 'Name\tReward\nKlucze\tA, B\n'],
    ['UTF-16, as Excel’s “Unicode text”', utf16('Name\tReward\r\nKlucze\tA, B\r\n')],
  ])('reads cells separated by %s', async (_, content) => {
    const sheet = await read(content);
    expect(sheet.ok && sheet.table.slice(0, 2)).toEqual([
      ['Name', 'Reward'],
      ['Klucze', 'A, B'],
    ]);
  });

  it('reads one column', async () => {
    const sheet = await read('Name\nשלום\nПривет\n');
    expect(sheet.ok && sheet.table.slice(0, 3)).toEqual([['Name'], ['שלום'], ['Привет']]);
  });

  it.each([
    ['wrong-encoding', Buffer.from('Name\nSchlüssel\n', 'latin1')],
    ['not-csv', Buffer.from('PK\u0003\u0004 and more')],
    ['not-csv', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe, 0x80])],
    ['not-csv', Buffer.from('Name\0')],
    ['broken-quotes', 'Name\n"Keys\n'],
    ['too-large', Buffer.alloc(5_000_001, 'a')],
  ])('refuses a file: %s', async (problem, content) => {
    expect(await read(content)).toEqual({ ok: false, problem });
  });
});

describe('a file that is uploaded as it was written', () => {
  const { itemTypes, otherItemTypes } = english.texts;
  const words: SheetWords = { columns: spreadsheet(english).columns, types: { ...itemTypes, ...otherItemTypes } };
  const unit = fc.constantFrom(...'=+-@\'"";;,\t x1שП', '＝', '\u00a0', '🔑');
  const line = fc.string({ unit, minLength: 1, maxLength: 12 }).map((text) => text.replaceAll('\t', ' '));
  const lines = fc.option(fc.string({ unit: fc.oneof(unit, fc.constant('\n')), minLength: 1, maxLength: 30 }));
  const item: fc.Arbitrary<SheetItem> = fc.record({
    qrId: fc.stringMatching(/^tgt-[A-Za-z0-9_-]{16}$/),
    itemType: fc.constantFrom('keys', 'custom'),
    itemName: line.filter((text) => text.trim() !== ''),
    description: lines,
    noteToFinders: lines,
    reward: fc.option(line),
  });
  const items = fc.uniqueArray(item, { minLength: 1, maxLength: 5, selector: ({ qrId }) => qrId });

  it('changes nothing, whatever the texts of the items are', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (owned) => {
        const sheet = await read(writeItemSheet(owned, words, (qrId) => `https://lost.example.org/${qrId}`));
        const plan = sheet.ok ? planItemSheet(sheet.table, owned, words) : sheet;
        expect(plan.ok && plan.rows.map(({ outcome }) => outcome)).toEqual(owned.map(() => 'same'));
      }),
      { numRuns: 500 },
    );
  });
});
