import { describe, expect, it } from 'vitest';
import { english } from '#domain/language.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { spreadsheetWords } from '#words/spreadsheet.ts';
import { MOST_SHEET_ROWS, planItemSheet, type SheetItem, type SheetWords, writeItemSheet } from './item-sheet.ts';

const { itemTypes, otherItemTypes } = english.texts;
const words: SheetWords = {
  columns: spreadsheetWords(english).columns,
  types: { ...itemTypes, ...otherItemTypes },
};
const KEYS: SheetItem = {
  qrId: 'tgt-the-keys-of-dana',
  itemType: 'keys',
  itemName: 'Keys',
  description: 'blue\nribbon',
  noteToFinders: null,
  reward: '- 50 €',
};
const KITE: SheetItem = {
  qrId: 'tgt-the-kite-of-dana',
  itemType: 'custom',
  itemName: 'Kite',
  description: null,
  noteToFinders: null,
  reward: null,
};
const items = [KEYS, KITE];
const codeOf = ({ qrId }: SheetItem) => typedCodeOf(qrId);

function rowsOf(table: readonly (readonly string[])[]) {
  const plan = planItemSheet(table, items, words);
  if (!plan.ok) expect.unreachable(plan.problem);
  return plan.rows;
}

describe('writeItemSheet', () => {
  it('has a row for each item under headings, and no formula', () => {
    expect(writeItemSheet(items, words, (qrId) => `https://lost.example.org/${qrId}`)).toBe(
      `\uFEFFCode,Name,Type,Description,Note to finders,Reward,Link\r\n` +
        `${codeOf(KEYS)},Keys,Keys,"blue\nribbon",,'- 50 €,https://lost.example.org/tgt-the-keys-of-dana\r\n` +
        `${codeOf(KITE)},Kite,Custom item,,,,https://lost.example.org/tgt-the-kite-of-dana\r\n`,
    );
  });
});

describe('planItemSheet', () => {
  it('finds nothing to change in what was written', () => {
    const table = [
      ['\uFEFFCode', 'Name', 'Type', 'Description', 'Note to finders', 'Reward', 'Link'],
      [codeOf(KEYS), 'Keys', 'Keys', 'blue\r\nribbon', '', "'- 50 €", 'https://lost.example.org/tgt-the-keys-of-dana'],
      [codeOf(KITE), 'Kite', 'Custom item', '', '', '', ''],
    ];
    expect(rowsOf(table).map(({ outcome }) => outcome)).toEqual(['same', 'same']);
  });

  it.each([codeOf(KITE), codeOf(KITE).toLowerCase(), KITE.qrId, `https://lost.example.org/${KITE.qrId}`])(
    'changes the item that %s names, and only what differs',
    (code) => {
      const table = [
        ['Reward', 'Note to finders', 'Name', 'Code', 'Color'],
        ['A cake', '', ' Red\tkite ', code, 'red'],
      ];
      expect(rowsOf(table)).toEqual([
        {
          row: 2,
          name: 'Red kite',
          outcome: 'changed',
          qrId: KITE.qrId,
          fields: { itemName: 'Red kite', reward: 'A cake' },
        },
      ]);
    },
  );

  it('clears what an empty cell has, keeps what has no column, and keeps a type without a word', () => {
    const table = [
      ['code', 'NAME', 'type', 'reward'],
      [codeOf(KEYS), 'Keys', '', ''],
    ];
    expect(rowsOf(table)).toEqual([
      { row: 2, name: 'Keys', outcome: 'changed', qrId: KEYS.qrId, fields: { reward: null } },
    ]);
  });

  it('adds an item for each row without a code, and says where the name is known', () => {
    const table = [
      ['Name', 'Type', 'Description'],
      ['Drill', '', "'=1+1"],
      ['', 'umbrella', ''],
      ['  ', '', ' '],
      ['kite', 'Bike', ''],
    ];
    const nothing = { description: null };
    expect(rowsOf(table)).toEqual([
      {
        row: 2,
        name: 'Drill',
        outcome: 'new',
        isAlike: false,
        fields: { itemName: 'Drill', itemType: 'custom', description: '=1+1' },
      },
      {
        row: 3,
        name: 'Umbrella',
        outcome: 'new',
        isAlike: false,
        fields: { itemName: 'Umbrella', itemType: 'umbrella', ...nothing },
      },
      {
        row: 5,
        name: 'kite',
        outcome: 'new',
        isAlike: true,
        fields: { itemName: 'kite', itemType: 'bike', ...nothing },
      },
    ]);
  });

  it('takes a further code of an item for the item, once', () => {
    const further = new Map([['tgt-on-the-other-side', KEYS.qrId]]);
    const table = [
      ['Code', 'Name'],
      ['tgt-on-the-other-side', 'Office keys'],
      [typedCodeOf('tgt-on-the-other-side'), 'Spare keys'],
      [KEYS.qrId, 'House keys'],
    ];
    const plan = planItemSheet(table, items, words, further);
    expect(plan.ok && plan.rows).toMatchObject([
      { row: 2, outcome: 'changed', qrId: KEYS.qrId, fields: { itemName: 'Office keys' } },
      { row: 3, outcome: 'refused', problem: { kind: 'repeated-code', row: 2 } },
      { row: 4, outcome: 'refused', problem: { kind: 'repeated-code', row: 2 } },
    ]);
  });

  it('refuses rows one by one, and says why', () => {
    const table = [
      ['Code', 'Name', 'Type', 'Description', 'Note to finders', 'Reward'],
      ['tgt-somebody-elses-code', 'Bag', '', '', '', ''],
      [codeOf(KEYS), 'Keys', '', '', '', ''],
      [KEYS.qrId, 'Keys again', '', '', '', ''],
      ['', '', 'custom', 'no name', '', ''],
      [codeOf(KITE), '', '', '', '', ''],
      ['', 'Bag', 'Spaceship', '', '', ''],
      ['', '🔑'.repeat(101), '', '', '', ''],
      ['', 'Bag', '', 'x'.repeat(1001), '', ''],
      ['', 'Bag', '', '', 'x'.repeat(251), ''],
      ['', 'Bag', '', '', '', 'x'.repeat(101)],
    ];
    expect(rowsOf(table).map((row) => (row.outcome === 'refused' ? [row.row, row.problem] : row.outcome))).toEqual([
      [2, { kind: 'unknown-code', code: 'tgt-somebody-elses-code' }],
      'changed',
      [4, { kind: 'repeated-code', row: 3 }],
      [5, { kind: 'no-name' }],
      [6, { kind: 'no-name' }],
      [7, { kind: 'unknown-type', type: 'Spaceship' }],
      [8, { kind: 'too-long', column: 'itemName', most: 100 }],
      [9, { kind: 'too-long', column: 'description', most: 1000 }],
      [10, { kind: 'too-long', column: 'noteToFinders', most: 250 }],
      [11, { kind: 'too-long', column: 'reward', most: 100 }],
    ]);
  });

  it.each([
    [
      'no-name-column',
      [
        ['Code', 'Title'],
        ['', 'Bag'],
      ],
    ],
    ['no-name-column', []],
    ['no-rows', [['Name'], [' '], ['']]],
    ['too-many-rows', [['Name'], ...Array.from({ length: 100_000 }, (_, n) => [`Chair ${n}`])]],
    ['too-many-rows', [['Name'], ...Array.from({ length: MOST_SHEET_ROWS + 1 }, (_, n) => [`Chair ${n}`])]],
  ])('uses no row where there is a problem with the whole: %s', (problem, table) => {
    expect(planItemSheet(table, items, words)).toEqual({ ok: false, problem });
  });
});
