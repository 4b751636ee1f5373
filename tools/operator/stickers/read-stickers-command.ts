import { MOST_OFFSET, type PrinterOffset } from '#domain/stickers/calibration-drawing.ts';
import { findLabelFormats, type LabelFormat, labelFormat } from '#domain/stickers/label-formats.ts';
import { LONGEST_OWN_LINE } from '#domain/stickers/line-text.ts';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { TAG_CODE_PREFIX } from '#domain/tag-code/tag-code.ts';
import { readTypedCode } from '#domain/tag-code/typed-code.ts';
import { type Options, readNumber, readText, VOID_REASON_LENGTH } from '../read-options.ts';
import { UsageError } from '../usage-error.ts';

/** Where and on what stickers are printed. */
export interface SheetCommand {
  readonly format: LabelFormat;
  readonly file: string;
  readonly offset: PrinterOffset;
  /** From 0. */
  readonly firstCell: number;
  /** Printed on each sticker, normalized to NFC. */
  readonly line: string | null;
  /** A file with a picture, printed on each sticker. */
  readonly logoFile: string | null;
}

export type StickersCommand =
  | { readonly name: 'formats'; readonly json: boolean; readonly filter: string }
  | { readonly name: 'calibrate'; readonly format: LabelFormat; readonly file: string }
  | CreateCommand
  | { readonly name: 'list'; readonly json: boolean; readonly page: number; readonly perPage: number }
  | { readonly name: 'show'; readonly json: boolean; readonly subject: string }
  | {
      readonly name: 'void';
      readonly subject: string;
      readonly reason: string;
      /** Also codes that belong to accounts. */
      readonly claimedToo: boolean;
    }
  | { readonly name: 'restore'; readonly subject: string }
  | { readonly name: 'export'; readonly label: string; readonly file: string | null }
  | ({ readonly name: 'print'; readonly label: string } & SheetCommand);

export type CreateCommand = {
  readonly name: 'create';
  readonly count: number;
  readonly label: string;
  readonly note: string | null;
  /** Null for the user who runs the command. */
  readonly issuedBy: string | null;
} & SheetCommand;

const SHEET_OPTIONS = {
  format: 'string',
  out: 'string',
  'first-label': 'string',
  'offset-x': 'string',
  'offset-y': 'string',
  line: 'string',
  logo: 'string',
} as const;

/** The options of each command. */
export const STICKERS_OPTIONS = {
  formats: { json: 'boolean' },
  calibrate: { format: 'string', out: 'string' },
  create: { count: 'string', label: 'string', note: 'string', by: 'string', ...SHEET_OPTIONS },
  list: { page: 'string', 'per-page': 'string', json: 'boolean' },
  show: { json: 'boolean' },
  export: { out: 'string' },
  print: SHEET_OPTIONS,
  void: { reason: 'string', claimed: 'boolean' },
  restore: {},
} as const;

const SUBJECT = 'batch by its label, or one code';
/** The most stickers of one batch. */
const MOST_STICKERS = 50_000;
/** In characters, as the database has them. */
const LONGEST = { label: 100, note: 500, by: 100, reason: VOID_REASON_LENGTH } as const;

export function isStickersName(name: string): name is StickersCommand['name'] {
  return Object.hasOwn(STICKERS_OPTIONS, name);
}

/** Throws a UsageError for an invalid value. */
export function readStickersCommand(name: StickersCommand['name'], options: Options): StickersCommand {
  const { flags, texts, words } = options;
  const json = flags.has('json');
  switch (name) {
    case 'formats':
      return { name, json, filter: words.join(' ') };
    case 'calibrate': {
      refuseWords(name, words);
      return { name, format: readFormat(texts), file: readFile(texts) };
    }
    case 'create': {
      refuseWords(name, words);
      const sheet = readSheet(texts);
      const count = readNumber('--count', texts.get('count') ?? '', MOST_STICKERS);
      const label = readText('label', texts.get('label') ?? nameOf(sheet.file), LONGEST.label);
      if (label === null) throw new UsageError('--label must not be empty.');
      if (label.startsWith(TAG_CODE_PREFIX) || readTypedCode(label).ok) {
        throw new UsageError('--label must not look like a code.');
      }
      return {
        name,
        count,
        label,
        note: readText('note', texts.get('note') ?? '', LONGEST.note),
        issuedBy: readText('by', texts.get('by') ?? '', LONGEST.by),
        ...sheet,
      };
    }
    case 'list': {
      refuseWords(name, words);
      const page = readNumber('--page', texts.get('page') ?? '1', 1_000_000);
      return { name, json, page, perPage: readNumber('--per-page', texts.get('per-page') ?? '50', 1_000) };
    }
    case 'show':
      return { name, json, subject: readSubject(name, SUBJECT, words) };
    case 'void': {
      const subject = readSubject(name, SUBJECT, words);
      const reason = readText('reason', texts.get('reason') ?? '', LONGEST.reason);
      if (reason === null) throw new UsageError('Add a --reason. The owners of the codes read it.');
      return { name, subject, reason, claimedToo: flags.has('claimed') };
    }
    case 'restore':
      return { name, subject: readSubject(name, SUBJECT, words) };
    case 'export':
      return { name, label: readSubject(name, 'batch by its label', words), file: texts.get('out') ?? null };
    case 'print':
      return { name, label: readSubject(name, 'batch by its label', words), ...readSheet(texts) };
  }
}

function refuseWords(name: StickersCommand['name'], words: Options['words']): void {
  if (words.length > 0) throw new UsageError(`stickers ${name} takes only options.`);
}

function readSubject(name: StickersCommand['name'], what: string, [subject = '', ...others]: Options['words']): string {
  if (subject.trim() !== '' && others.length === 0) return subject.trim();
  throw new UsageError(`stickers ${name} takes one ${what}. Put a label with spaces in quotation marks.`);
}

function readSheet(texts: Options['texts']): SheetCommand {
  const format = readFormat(texts);
  const firstCell = readNumber('--first-label', texts.get('first-label') ?? '1', cellsPerPage(format)) - 1;
  const line = readText('line', (texts.get('line') ?? '').normalize(), LONGEST_OWN_LINE);
  return {
    format,
    file: readFile(texts),
    offset: readOffsets(texts),
    firstCell,
    line,
    logoFile: texts.get('logo') ?? null,
  };
}

function readFormat(texts: Options['texts']): LabelFormat {
  const text = texts.get('format') ?? '';
  const format = labelFormat(text);
  if (format !== null) return format;
  const [found, ...others] = text === '' ? [] : findLabelFormats(text);
  const hint = found === undefined || others.length > 0 ? '' : ` “${text}” is there as ${found.id}.`;
  throw new UsageError(`--format must be a format that "stickers formats" lists.${hint}`);
}

function readFile(texts: Options['texts']): string {
  const file = texts.get('out') ?? '';
  if (file === '') throw new UsageError('Name the PDF to write with --out.');
  return file;
}

/** The name of a file without its folder and ending. */
function nameOf(file: string): string {
  return (file.split(/[/\\]/).at(-1) ?? '').replace(/\.[^.]*$/, '');
}

function readOffsets(texts: Options['texts']): PrinterOffset {
  return { x: readOffset('offset-x', texts), y: readOffset('offset-y', texts) };
}

function readOffset(option: 'offset-x' | 'offset-y', texts: Options['texts']): number {
  const text = texts.get(option) ?? '0';
  const tenths = /^-?\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(tenths) <= MOST_OFFSET) return tenths;
  throw new UsageError(
    `--${option} must be tenths of a millimeter, a whole number from -${MOST_OFFSET} to ${MOST_OFFSET}.`,
  );
}
