import { MOST_OFFSET, type PrinterOffset } from '#domain/stickers/calibration-drawing.ts';
import { findLabelFormats, type LabelFormat, labelFormat } from '#domain/stickers/label-formats.ts';
import { LONGEST_OWN_LINE } from '#domain/stickers/line-text.ts';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { type Options, readNumber, readText } from '../read-options.ts';
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

/** The options of `SheetCommand`. */
export const SHEET_OPTIONS = {
  format: 'string',
  out: 'string',
  'first-label': 'string',
  'offset-x': 'string',
  'offset-y': 'string',
  line: 'string',
  logo: 'string',
} as const;

/** Throws a UsageError for an invalid value. */
export function readSheet(texts: Options['texts']): SheetCommand {
  const format = readFormat(texts);
  const firstCell = readNumber('--first-label', texts.get('first-label') ?? '1', cellsPerPage(format)) - 1;
  const line = readText('line', texts.get('line')?.normalize(), LONGEST_OWN_LINE);
  return {
    format,
    file: readFile(texts),
    offset: readOffsets(texts),
    firstCell,
    line,
    logoFile: texts.get('logo') ?? null,
  };
}

export function readFormat(texts: Options['texts']): LabelFormat {
  const text = texts.get('format') ?? '';
  const format = labelFormat(text);
  if (format !== null) return format;
  const [found, ...others] = text === '' ? [] : findLabelFormats(text);
  const hint = found === undefined || others.length > 0 ? '' : ` “${text}” is there as ${found.id}.`;
  throw new UsageError(`--format must be a format that "stickers formats" lists.${hint}`);
}

export function readFile(texts: Options['texts']): string {
  const file = texts.get('out') ?? '';
  if (file === '') throw new UsageError('Name the PDF to write with --out.');
  return file;
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
