import { type LabelFormat, labelFormat } from '#domain/stickers/label-formats.ts';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { type Options, readNumber } from '../read-options.ts';
import { UsageError } from '../usage-error.ts';
import type { PrinterOffset } from './draw-sheets.ts';

export type StickersCommand =
  | { readonly name: 'formats'; readonly json: boolean; readonly filter: string }
  | { readonly name: 'calibrate'; readonly format: LabelFormat; readonly file: string; readonly offset: PrinterOffset }
  | {
      readonly name: 'create';
      readonly count: number;
      readonly format: LabelFormat;
      readonly file: string;
      readonly offset: PrinterOffset;
      /** From 0. */
      readonly firstCell: number;
    };

/** The options of each command. */
export const STICKERS_OPTIONS = {
  formats: { json: 'boolean' },
  calibrate: { format: 'string', out: 'string', 'offset-x': 'string', 'offset-y': 'string' },
  create: {
    count: 'string',
    format: 'string',
    out: 'string',
    'first-label': 'string',
    'offset-x': 'string',
    'offset-y': 'string',
  },
} as const;

/** The most stickers of one file. */
const MOST_STICKERS = 50_000;
/** The largest correction, in tenths of a millimeter: more is a wrong setting of the printer. */
const MOST_OFFSET = 100;

export function isStickersName(name: string): name is StickersCommand['name'] {
  return Object.hasOwn(STICKERS_OPTIONS, name);
}

/** Throws a UsageError for an invalid value. */
export function readStickersCommand(name: StickersCommand['name'], { flags, texts, words }: Options): StickersCommand {
  if (name === 'formats') return { name, json: flags.has('json'), filter: words.join(' ') };
  if (words.length > 0) throw new UsageError(`stickers ${name} takes only options.`);
  const format = labelFormat(texts.get('format') ?? '');
  if (format === null) throw new UsageError('--format must be one of those that "stickers formats" lists.');
  const file = texts.get('out') ?? '';
  if (file === '') throw new UsageError('--out names the PDF to write.');
  const offset = { x: readOffset('offset-x', texts), y: readOffset('offset-y', texts) };
  if (name === 'calibrate') return { name, format, file, offset };
  const count = readNumber('--count', texts.get('count') ?? '', MOST_STICKERS);
  const firstCell = readNumber('--first-label', texts.get('first-label') ?? '1', cellsPerPage(format)) - 1;
  return { name, count, format, file, offset, firstCell };
}

function readOffset(option: 'offset-x' | 'offset-y', texts: Options['texts']): number {
  const text = texts.get(option) ?? '0';
  const tenths = /^-?\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(tenths) <= MOST_OFFSET) return tenths;
  throw new UsageError(
    `--${option} must be tenths of a millimeter, a whole number from -${MOST_OFFSET} to ${MOST_OFFSET}.`,
  );
}
