import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planItemSheet, type SheetItem, type SheetWords, writeItemSheet } from '#domain/item/item-sheet.ts';
import { english } from '#domain/language.ts';
import { spreadsheetWords } from '#words/spreadsheet.ts';
import { readSheetFile } from './read-sheet-file.ts';

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const utf16BigEndian = (text: string) => utf16(text).swap16();
/** Hebrew letters in Windows-1255, as Excel saves “CSV” in Israel. */
const windows1255 = (text: string) =>
  Buffer.from(Array.from(text, (letter) => letter.charCodeAt(0)).map((at) => (at < 0x80 ? at : at - 0x5d0 + 0xe0)));
/** “Name” and two items, キー and 傘, in Shift JIS, as Excel saves “CSV” in Japan. */
const SHIFT_JIS = Buffer.from([...Buffer.from('Name\r\n'), 0x83, 0x4c, 0x81, 0x5b, 0x0d, 0x0a, 0x8e, 0x50, 0x0d, 0x0a]);
const SEVERAL_SCRIPTS = 'Name,Type\r\nמפתחות,keys\r\n傘 🌂,umbrella\r\n';
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

  it.each([
    ['UTF-8', SEVERAL_SCRIPTS],
    ['UTF-8 with a byte order mark', `\uFEFF${SEVERAL_SCRIPTS}`],
    ['UTF-16 with a byte order mark', utf16(SEVERAL_SCRIPTS)],
    ['UTF-16 with its other byte order mark', utf16BigEndian(SEVERAL_SCRIPTS)],
  ])('reads names in every script: %s', async (_, content) => {
    const sheet = await read(content);
    expect(sheet.ok && sheet.table.slice(0, 3)).toEqual([
      ['Name', 'Type'],
      ['מפתחות', 'keys'],
      ['傘 🌂', 'umbrella'],
    ]);
  });

  it.each([
    ['sep=;\r\nName;Type\r\nTent, blue;\r\n'],
    ['\uFEFFsep=;\r\nName;Type\r\nTent, blue;\r\n'],
    ['"sep=;"\nName;Type\nTent, blue;\n'],
    ['SEP=|\rName|Type\rTent, blue|\r'],
    ['sep=\t\r\nName\tType\r\nTent, blue\t\r\n'],
    [utf16('sep=;\r\nName;Type\r\nTent, blue;\r\n')],
    [utf16BigEndian('sep=\t\r\nName\tType\r\nTent, blue\t\r\n')],
    // Saved again by a program that took the first line for a row.
    ['sep=;,\r\nName,Type\r\n"Tent, blue",\r\n'],
  ])('reads a file that names its separator in the first line: %j [K72]', async (content) => {
    const sheet = await read(content);
    expect(sheet.ok && sheet.table.slice(0, 2)).toEqual([
      ['Name', 'Type'],
      ['Tent, blue', ''],
    ]);
  });

  it('reads one column, also with commas in it where the file names another separator', async () => {
    const sheet = await read('sep=;\nName\nTent, blue\n');
    expect(sheet.ok && sheet.table.slice(0, 2)).toEqual([['Name'], ['Tent, blue']]);
  });

  it('plans one new item from a file that names its separator, or begins with empty lines [K72]', async () => {
    const { itemTypes, otherItemTypes } = english.texts;
    const words: SheetWords = {
      columns: spreadsheetWords(english).columns,
      types: { ...itemTypes, ...otherItemTypes },
    };
    for (const content of ['sep=;\r\nName;Type\r\nTent;\r\n', '\r\n;\r\nName;Type\r\nTent;\r\n']) {
      const sheet = await read(content);
      const plan = sheet.ok ? planItemSheet(sheet.table, [], words) : sheet;
      expect(plan.ok && plan.rows).toMatchObject([{ outcome: 'new', name: 'Tent' }]);
    }
  });

  it('reads one column', async () => {
    const sheet = await read('Name\nשלום\nПривет\n');
    expect(sheet.ok && sheet.table.slice(0, 3)).toEqual([['Name'], ['שלום'], ['Привет']]);
  });

  it.each([
    ['wrong-encoding', Buffer.from('Name\nSchlüssel\n', 'latin1')],
    ['wrong-encoding', windows1255('Name\r\nמפתחות\r\n')],
    ['wrong-encoding', windows1255('Name\r\nא\r\n')],
    ['wrong-encoding', SHIFT_JIS],
    ['wrong-encoding', utf16(SEVERAL_SCRIPTS).subarray(2)],
    ['wrong-encoding', utf16BigEndian(SEVERAL_SCRIPTS).subarray(2)],
    ['wrong-encoding', utf16('Name\r\nKeys\r\n').subarray(2)],
    ['wrong-encoding', utf16BigEndian('Name\nKeys').subarray(2)],
    ['wrong-encoding', utf16('Name\r\nKeys').subarray(0, -1)],
    ['wrong-encoding', Buffer.concat([Buffer.from(SEVERAL_SCRIPTS), windows1255('ספר\r\n')])],
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
  const words: SheetWords = { columns: spreadsheetWords(english).columns, types: { ...itemTypes, ...otherItemTypes } };
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
