import { findLabelFormats, LABEL_FORMATS } from '#domain/stickers/label-formats.ts';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { TAG_CODE_PREFIX } from '#domain/tag-code/tag-code.ts';
import { readTypedCode } from '#domain/tag-code/typed-code.ts';
import { writeWholeFile } from '#server/data-folder/write-whole-file.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { formatTable } from '../print-table.ts';
import {
  type Call,
  type Options,
  type Output,
  pageLine,
  readNumber,
  readOptions,
  readPage,
  readText,
  readWord,
  refuseWords,
  VOID_REASON_LENGTH,
} from '../read-options.ts';
import { UsageError } from '../usage-error.ts';
import { asJson } from '../write-json.ts';
import { findBatch, listBatches } from './batches.ts';
import { countCodes } from './codes-of-batch.ts';
import { describeBatch, describeBatches } from './describe-batch.ts';
import { describeCalibration } from './describe-calibration.ts';
import { describeCode, reportCode } from './describe-code.ts';
import { drawCalibration } from './draw-sheets.ts';
import { exportBatch } from './export-batch.ts';
import { type CreateCommand, createBatch, printBatch } from './print-batch.ts';
import { readFile, readFormat, readSheet, SHEET_OPTIONS } from './read-sheet.ts';
import { restoreCodes, voidCodes } from './void-codes.ts';

const OPTIONS = {
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

/** The most stickers of one batch. */
const MOST_STICKERS = 50_000;
/** In characters, as the database has them. */
const LONGEST = { label: 100, note: 500, by: 100 } as const;

export async function runStickersCommand(call: Call): Promise<void> {
  const { name, flags, texts, words } = readOptions(OPTIONS, call);
  const json = flags.has('json');
  const { stdout } = call;
  const readSubject = (what: string) =>
    readWord(words, `stickers ${name} takes one ${what}. Put a label with spaces in quotation marks.`).trim();
  const refuse = () => refuseWords(words, `stickers ${name} takes only options.`);
  switch (name) {
    case 'formats':
      return printFormats(words.join(' '), json, call);
    case 'calibrate': {
      refuse();
      const format = readFormat(texts);
      const file = readFile(texts);
      await writeWholeFile(file, (out) => drawCalibration(out, format));
      return void stdout.write(`${file}: a test page for ${format.id}\n\n${describeCalibration(format)}`);
    }
    case 'create': {
      refuse();
      const batch = readNewBatch(texts);
      const { USER, USERNAME } = call.env;
      const issuedBy = readText('by', texts.get('by'), LONGEST.by) ?? (USER || USERNAME || 'operator');
      return createBatch(await call.connect(), { ...batch, issuedBy }, call);
    }
    case 'print': {
      const label = readSubject('batch by its label');
      const sheet = readSheet(texts);
      return printBatch(await call.connect(), { ...sheet, label }, call);
    }
    case 'list': {
      refuse();
      const page = readPage(texts);
      const { batches, total } = await listBatches(await call.connect(), page);
      if (json) return void stdout.write(asJson({ batches, total }));
      return void stdout.write(describeBatches(batches) + pageLine(page, 'batches', total));
    }
    case 'show': {
      const subject = readSubject(SUBJECT);
      return printSubject(await call.connect(), { json, subject }, call);
    }
    case 'void': {
      const subject = readSubject(SUBJECT);
      const reason = readText('reason', texts.get('reason'), VOID_REASON_LENGTH);
      if (reason === null) throw new UsageError('Add a --reason. The owners of the codes read it.');
      return voidCodes(await call.connect(), { subject, reason, claimedToo: flags.has('claimed') }, call);
    }
    case 'restore': {
      const subject = readSubject(SUBJECT);
      return restoreCodes(await call.connect(), subject, call);
    }
    case 'export': {
      const label = readSubject('batch by its label');
      return exportBatch(await call.connect(), { label, file: texts.get('out') ?? null }, call);
    }
  }
}

const SUBJECT = 'batch by its label, or one code';

/** What `stickers create` is asked for, but not by whom. */
function readNewBatch(texts: Options['texts']): Omit<CreateCommand, 'issuedBy'> {
  const sheet = readSheet(texts);
  const count = readNumber('--count', texts.get('count') ?? '', MOST_STICKERS);
  // The name of the file without its folder and ending.
  const named = (sheet.file.split(/[/\\]/).at(-1) ?? '').replace(/\.[^.]*$/, '');
  const label = readText('label', texts.get('label') ?? named, LONGEST.label);
  if (label === null) throw new UsageError('--label must not be empty.');
  if (label.startsWith(TAG_CODE_PREFIX) || readTypedCode(label).ok) {
    throw new UsageError('--label must not look like a code.');
  }
  return { ...sheet, count, label, note: readText('note', texts.get('note'), LONGEST.note) };
}

function printFormats(filter: string, json: boolean, { stdout }: Output): void {
  const formats = findLabelFormats(filter);
  if (json) return void stdout.write(asJson(formats));
  const rows = formats.map((format) => [
    format.id,
    `${format.width} × ${format.height} mm`,
    format.shape,
    String(cellsPerPage(format)),
    format.page,
    format.parts.join(', '),
  ]);
  stdout.write(formatTable(['FORMAT', 'LABEL', 'SHAPE', 'A PAGE', 'PAGE', 'NUMBERS'], rows));
  stdout.write(`\nFormats: ${formats.length} of ${LABEL_FORMATS.length}\n`);
}

/** Prints a batch, or the code where no batch has this label. */
async function printSubject(
  service: ServiceConnection,
  { json, subject }: { readonly json: boolean; readonly subject: string },
  { stdout }: Output,
): Promise<void> {
  const batch = await findBatch(service, subject);
  if (batch === null) {
    const code = await reportCode(service, subject);
    return void stdout.write(json ? asJson(code) : describeCode(code));
  }
  const [claimed, voided] = await Promise.all([
    countCodes(service, batch, 'owner_id'),
    countCodes(service, batch, 'voided_at'),
  ]);
  const report = { ...batch, claimed, void: voided };
  stdout.write(json ? asJson(report) : describeBatch(report));
}
