import { describe, expect, it } from 'vitest';
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
