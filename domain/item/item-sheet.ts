import { countCharacters } from '#domain/contact/count-characters.ts';
import { csvLine, textOfCell } from '#domain/csv.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { readStickerCode } from '#domain/tag-code/read-scanned-value.ts';
import { trimBlanks } from '#domain/white-space.ts';
import {
  ITEM_DESCRIPTION_LENGTH,
  ITEM_NAME_LENGTH,
  ITEM_TYPES,
  type ItemType,
  NOTE_TO_FINDERS_LENGTH,
  REWARD_LENGTH,
} from './item-catalogue.ts';

/** An owner's item, as far as a spreadsheet has it. */
export interface SheetItem {
  readonly qrId: string;
  readonly itemType: ItemType;
  readonly itemName: string;
  readonly description: string | null;
  readonly noteToFinders: string | null;
  readonly reward: string | null;
}

type Field = keyof Omit<SheetItem, 'qrId'>;
type Column = 'code' | Field;
/** What a row gives an item; a field that is missing stays as it is. */
export type SheetFields = { readonly [Name in Field]?: SheetItem[Name] };

/** The words of a spreadsheet, in the reader's language. */
export interface SheetWords {
  readonly columns: Readonly<Record<Column | 'link', string>>;
  readonly types: Readonly<Record<ItemType, string>>;
}

export type RowProblem =
  /** The code is not that of an item of the owner's. */
  | { readonly kind: 'unknown-code'; readonly code: string }
  /** An earlier row is about the same item. */
  | { readonly kind: 'repeated-code'; readonly row: number }
  | { readonly kind: 'no-name' }
  | { readonly kind: 'unknown-type'; readonly type: string }
  | { readonly kind: 'too-long'; readonly column: Field; readonly most: number };

/** What saving a row of a spreadsheet would do. */
export type SheetRow = {
  /** Its number in the spreadsheet, whose first row is 1. */
  readonly row: number;
  /** The name that the item has or would have; it may be empty where the row is refused. */
  readonly name: string;
} & (
  | {
      readonly outcome: 'new';
      readonly fields: SheetFields & Pick<SheetItem, 'itemType' | 'itemName'>;
      /** Whether the owner already has an item with this name. */
      readonly isAlike: boolean;
    }
  | { readonly outcome: 'changed'; readonly qrId: string; readonly fields: SheetFields }
  | { readonly outcome: 'same' }
  | { readonly outcome: 'refused'; readonly problem: RowProblem }
);

export type SheetPlan =
  | { readonly ok: true; readonly rows: readonly SheetRow[] }
  | { readonly ok: false; readonly problem: 'no-name-column' | 'no-rows' | 'too-many-rows' };

/** The most rows that are read from one spreadsheet. The database saves as many items at once. */
export const MOST_SHEET_ROWS = 2000;

const LENGTHS = {
  itemName: ITEM_NAME_LENGTH,
  description: ITEM_DESCRIPTION_LENGTH,
  noteToFinders: NOTE_TO_FINDERS_LENGTH,
  reward: REWARD_LENGTH,
} as const;

const COLUMNS = ['code', 'itemName', 'itemType', 'description', 'noteToFinders', 'reward'] as const satisfies Column[];

/**
 * Returns the owner's items as CSV: one row for each, under headings in the reader's language. It begins with a byte
 * order mark, without which spreadsheets take UTF-8 for an older encoding.
 *
 * @param linkOf - Returns the link that finders open.
 */
export function writeItemSheet(
  items: readonly SheetItem[],
  { columns, types }: SheetWords,
  linkOf: (qrId: string) => string,
): string {
  const lines = items.map((item) =>
    csvLine([
      typedCodeOf(item.qrId),
      item.itemName,
      types[item.itemType],
      item.description,
      item.noteToFinders,
      item.reward,
      linkOf(item.qrId),
    ]),
  );
  return `\uFEFF${csvLine([...COLUMNS.map((column) => columns[column]), columns.link])}${lines.join('')}`;
}

/**
 * Returns what saving the rows of a spreadsheet would do to the owner's items. The first row that is not empty has the
 * headings, in any order. Columns with other headings are ignored, and so are empty rows. A row with a code of an item changes that item,
 * and one without a code is a new item.
 *
 * @param furtherCodes - The own code of the item, for each further code.
 */
export function planItemSheet(
  table: readonly (readonly string[])[],
  items: readonly SheetItem[],
  words: SheetWords,
  furtherCodes: ReadonlyMap<string, string> = new Map(),
): SheetPlan {
  const first = table.findIndex((cells) => cells.some(isFilled));
  const [headings = [], ...rows] = table.slice(Math.max(first, 0));
  const places = placesOf(headings, words);
  if (places.itemName < 0) return { ok: false, problem: 'no-name-column' };
  const filled = rows
    .map((cells, index) => ({ cells, row: first + index + 2 }))
    .filter(({ cells }) => cells.some(isFilled));
  if (filled.length === 0) return { ok: false, problem: 'no-rows' };
  if (filled.length > MOST_SHEET_ROWS) return { ok: false, problem: 'too-many-rows' };

  const byOwnCode = new Map(items.map((item) => [item.qrId, item]));
  const byCode = new Map(
    [...items.map(({ qrId }) => [qrId, qrId] as const), ...furtherCodes].flatMap(([code, own]) => {
      const item = byOwnCode.get(own);
      return item === undefined ? [] : [code, typedCodeOf(code)].map((each) => [each, item] as const);
    }),
  );
  const names = new Set(items.map(({ itemName }) => itemName.toLowerCase()));
  const rowOfItem = new Map<SheetItem, number>();
  return {
    ok: true,
    rows: filled.map(({ cells, row }): SheetRow => {
      const cellOf = (column: Column) => {
        const place = places[column];
        return place < 0 ? undefined : trimBlanks(textOfCell(trimBlanks(cells[place] ?? '')));
      };
      const code = cellOf('code') ?? '';
      const item = code === '' ? undefined : byCode.get(readCode(code));
      const refuse = (problem: RowProblem): SheetRow => ({
        row,
        name: cellOf('itemName') || item?.itemName || '',
        outcome: 'refused',
        problem,
      });
      if (code !== '' && item === undefined) return refuse({ kind: 'unknown-code', code });
      const earlier = item === undefined ? undefined : rowOfItem.get(item);
      if (earlier !== undefined) return refuse({ kind: 'repeated-code', row: earlier });
      if (item !== undefined) rowOfItem.set(item, row);

      const read = readFields(cellOf, words);
      if (!read.ok) return refuse(read.problem);
      const { fields } = read;
      if (item === undefined) return planNew(row, fields, names, words) ?? refuse({ kind: 'no-name' });
      if (fields.itemName === '') return refuse({ kind: 'no-name' });
      return planChange(row, fields, item);
    }),
  };
}

function planNew(row: number, fields: SheetFields, names: ReadonlySet<string>, { types }: SheetWords): SheetRow | null {
  const itemType = fields.itemType ?? 'custom';
  // As in the tagging form, a type of the catalogue is a name as well.
  const itemName = fields.itemName || (isOfCatalogue(itemType) ? types[itemType] : '');
  if (itemName === '') return null;
  const isAlike = names.has(itemName.toLowerCase());
  return { row, name: itemName, outcome: 'new', fields: { ...fields, itemType, itemName }, isAlike };
}

function planChange(row: number, fields: SheetFields, item: SheetItem): SheetRow {
  // Only what differs: another tab may have changed the rest.
  const known = asInSheet(item);
  const changed = Object.entries(fields).filter(([name, value]) => known[name as Field] !== value);
  const name = fields.itemName ?? item.itemName;
  if (changed.length === 0) return { row, name, outcome: 'same' };
  return { row, name, outcome: 'changed', qrId: item.qrId, fields: Object.fromEntries(changed) };
}

type ReadFields =
  | { readonly ok: true; readonly fields: SheetFields }
  | { readonly ok: false; readonly problem: RowProblem };

function readFields(cellOf: (column: Column) => string | undefined, { types }: SheetWords): ReadFields {
  const typeCell = cellOf('itemType') ?? '';
  const itemType = typeCell === '' ? undefined : findType(typeCell, types);
  if (itemType === null) return { ok: false, problem: { kind: 'unknown-type', type: typeCell } };

  const texts = {
    itemName: inOneLine(cellOf('itemName')),
    description: inLines(cellOf('description')),
    noteToFinders: inLines(cellOf('noteToFinders')),
    reward: inOneLine(cellOf('reward')),
  };
  for (const column of ['itemName', 'description', 'noteToFinders', 'reward'] as const) {
    if (countCharacters(texts[column] ?? '') > LENGTHS[column]) {
      return { ok: false, problem: { kind: 'too-long', column, most: LENGTHS[column] } };
    }
  }
  const { itemName, ...others } = texts;
  const given = Object.entries(others).filter(([, text]) => text !== undefined);
  return {
    ok: true,
    fields: {
      ...(itemType !== undefined && { itemType }),
      ...(itemName !== undefined && { itemName }),
      // An empty cell clears the field.
      ...Object.fromEntries(given.map(([name, text]) => [name, text || null])),
    },
  };
}

function placesOf(headings: readonly string[], { columns }: SheetWords): Record<Column, number> {
  const found = headings.map((heading) => trimBlanks(heading).toLowerCase());
  const places = COLUMNS.map((column) => [column, found.indexOf(columns[column].toLowerCase())]);
  // Object.fromEntries forgets the keys, which are those of COLUMNS.
  return Object.fromEntries(places) as Record<Column, number>;
}

function findType(text: string, types: SheetWords['types']): ItemType | null {
  const wanted = text.toLowerCase();
  // Object.keys forgets that the keys are those of the record.
  const all = Object.keys(types) as ItemType[];
  return all.find((type) => type === wanted || types[type].toLowerCase() === wanted) ?? null;
}

/** Returns the tag code or typed code of a cell, which may also have a sticker's link. */
function readCode(cell: string): string {
  const sticker = readStickerCode(cell);
  if (sticker === null) return cell;
  return sticker.kind === 'typed-code' ? sticker.typedCode : sticker.code;
}

function isOfCatalogue(type: ItemType): boolean {
  return ITEM_TYPES.some((each) => each === type);
}

function isFilled(cell: string): boolean {
  return trimBlanks(cell) !== '';
}

/** The item as its own row is read: a cell has no spaces around its text. */
function asInSheet({ itemType, itemName, description, noteToFinders, reward }: SheetItem): Omit<SheetItem, 'qrId'> {
  const trimmed = (text: string | null) => trimBlanks(text ?? '') || null;
  return {
    itemType,
    itemName: trimBlanks(itemName),
    description: trimmed(description),
    noteToFinders: trimmed(noteToFinders),
    reward: trimmed(reward),
  };
}

/** The database stores names and rewards in this form. */
function inOneLine(text: string | undefined): string | undefined {
  return text?.replace(/[\t-\r\u0085\u2028\u2029]+/g, ' ');
}

/** The database stores longer texts in this form. */
function inLines(text: string | undefined): string | undefined {
  return text?.replace(/\r\n?/g, '\n');
}
