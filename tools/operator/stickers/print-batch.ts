import { Writable } from 'node:stream';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { generateTagCode } from '#domain/tag-code/tag-code.ts';
import { requireNoFile, writeWholeFile } from '#server/data-folder/write-whole-file.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { type ProgressOutput, showProgress } from '../progress.ts';
import type { Output, Surroundings } from '../read-options.ts';
import { type Batch, completeBatch, openBatch, requireBatch, requireNotVoid } from './batches.ts';
import { codesOfBatch, countCodes } from './codes-of-batch.ts';
import { drawSheets, type SheetOptions } from './draw-sheets.ts';
import { issueCodes } from './issue-codes.ts';
import { readLogo } from './read-logo.ts';
import type { SheetCommand } from './read-sheet.ts';
import { typesetLine } from './typeset-line.ts';

/** What is said of a new batch. */
export interface CreateCommand extends SheetCommand {
  readonly count: number;
  readonly label: string;
  readonly note: string | null;
  readonly issuedBy: string;
}

/** The progress is shown on `stderr`. */
type BatchOutput = Pick<Surroundings, 'stdout' | 'stderr'>;

/** How many stickers of a batch are read again, at most. */
const READ_AGAIN = 200;

/**
 * Records the codes of a new batch as issued, and writes a PDF with their stickers. A batch that a killed run has left
 * is continued: it gets the codes that it lacks, and the file has all of them but those that are void. Throws an
 * OperatorError where the service refuses, the batch is void, or the file cannot be written.
 */
export async function createBatch(
  service: ServiceConnection,
  command: CreateCommand,
  { stdout, stderr }: BatchOutput,
): Promise<void> {
  const { label, note, issuedBy, count, file } = command;
  const options = { ...command, ...(await ownParts(command)), ...sampleOf(count), stickerUrl: service.stickerUrl };
  // Whatever would refuse the file is found before anything is recorded.
  await requireNoFile(file);
  await drawSheets(nowhere(), [generateTagCode((bytes) => crypto.getRandomValues(bytes))], options);

  const batch = await openBatch(service, { label, note, issuedBy, size: count });
  if (batch.recorded > 0) stdout.write(`Continuing “${label}”: ${batch.recorded} codes were recorded before.\n`);
  const drawn = await writeWholeFile(file, async (out) => {
    await issueCodes(service, batch, showProgress(stderr, 'Recording codes', count));
    const counts = await drawBatch(service, batch, { out, stderr, options });
    await requireNotVoid(service, label);
    await requireAsDrawn(service, batch, counts);
    await completeBatch(service, batch);
    return counts;
  });
  report(stdout, service, { ...command, batch, drawn });
}

/**
 * Writes a PDF with the stickers of a batch again: the same codes in the same order, without void ones. Throws an
 * OperatorError where none is left.
 */
export async function printBatch(
  service: ServiceConnection,
  command: SheetCommand & { readonly label: string },
  { stdout, stderr }: BatchOutput,
): Promise<void> {
  const { label, file } = command;
  const own = await ownParts(command);
  const batch = await requireBatch(service, label);
  const options = { ...command, ...own, ...sampleOf(batch.recorded), stickerUrl: service.stickerUrl };
  const drawn = await writeWholeFile(file, async (out) => {
    const counts = await drawBatch(service, batch, { out, stderr, options });
    await requireAsDrawn(service, batch, counts);
    return counts;
  });
  report(stdout, service, { ...command, batch, drawn });
  if (drawn.claimed > 0) stdout.write(`Already claimed: ${drawn.claimed}. Don't hand these out as new.\n`);
}

/** What became of a batch's codes. */
interface DrawnCodes {
  readonly printed: number;
  /** How many of the printed codes belong to an account. */
  readonly claimed: number;
  /** How many were left out. */
  readonly voided: number;
}

interface Drawing {
  readonly out: Writable;
  readonly stderr: ProgressOutput;
  readonly options: SheetOptions;
}

/** Draws the codes of a batch that are not void. */
async function drawBatch(
  service: ServiceConnection,
  batch: Batch,
  { out, stderr, options }: Drawing,
): Promise<DrawnCodes> {
  const drawn = { printed: 0, claimed: 0, voided: 0 };
  const progress = showProgress(stderr, 'Drawing stickers', batch.size);
  async function* working(): AsyncGenerator<string> {
    for await (const { qr_id: code, void_reason: reason, owner_id: owner } of codesOfBatch(service, batch)) {
      if (reason === null) {
        drawn.printed += 1;
        if (owner !== null) drawn.claimed += 1;
        yield code;
      } else drawn.voided += 1;
      progress(drawn.printed + drawn.voided);
    }
  }
  await drawSheets(out, working(), options);
  return drawn;
}

/** Throws an OperatorError where every code is void, or one was voided after it was read: up to minutes pass until then. */
async function requireAsDrawn(
  service: ServiceConnection,
  batch: Batch,
  { printed, voided }: DrawnCodes,
): Promise<void> {
  if (printed === 0) throw new OperatorError(`Every code of “${batch.label}” is void.`);
  if ((await countCodes(service, batch, 'voided_at')) === voided) return;
  throw new OperatorError(
    `Codes of “${batch.label}” were voided or restored in the meantime, so this file was not kept. Run the command again.`,
  );
}

interface DrawnSheets extends SheetCommand {
  readonly batch: Batch;
  readonly drawn: DrawnCodes;
}

function report(
  stdout: Output['stdout'],
  { stickerUrl }: ServiceConnection,
  { file, batch, drawn, ...sheets }: DrawnSheets,
): void {
  const { printed, voided } = drawn;
  const pages = `Pages: ${Math.ceil((sheets.firstCell + printed) / cellsPerPage(sheets.format))}`;
  stdout.write(
    `${file}: ${printed} stickers for ${stickerUrl}. Batch: ${batch.label}. ${pages}. Print them at 100%.\n`,
  );
  if (voided > 0) stdout.write(`Void, and not printed: ${voided}.\n`);
}

function sampleOf(stickers: number): Pick<SheetOptions, 'readEach'> {
  return { readEach: Math.max(1, Math.ceil(stickers / READ_AGAIN)) };
}

/** The operator's logo and line. Chinese characters have their forms in the language of the terminal. */
async function ownParts({ line, logoFile }: SheetCommand): Promise<Pick<SheetOptions, 'own' | 'logo'>> {
  const languages = [Intl.DateTimeFormat().resolvedOptions().locale];
  return {
    ...(line !== null && { own: await typesetLine(line, languages) }),
    ...(logoFile !== null && { logo: await readLogo(logoFile) }),
  };
}

/** A stream for what is not kept. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
