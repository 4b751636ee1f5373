import { Writable } from 'node:stream';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { generateTagCode } from '#domain/tag-code/tag-code.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { type ProgressOutput, showProgress } from '../progress.ts';
import type { Output } from '../run-users-command.ts';
import { requireNoFile, writeWholeFile } from '../write-whole-file.ts';
import { completeBatch, openBatch, requireBatch } from './batches.ts';
import { codesOfBatch, type IssuedCode } from './codes-of-batch.ts';
import { drawSheets, type SheetOptions } from './draw-sheets.ts';
import { issueCodes } from './issue-codes.ts';
import { readLogo } from './read-logo.ts';
import type { CreateCommand, SheetCommand } from './read-stickers-command.ts';
import { typesetLine } from './typeset-line.ts';

export interface BatchOutput extends Output {
  /** Shows the progress. */
  readonly stderr: ProgressOutput;
}

/** How many stickers of a batch are read again, at most. */
const READ_AGAIN = 200;

/**
 * Records the codes of a new batch as issued, and writes a PDF with their stickers. A batch that a killed run has left
 * is continued: it gets the codes that it lacks, and the file has all of them. Throws an OperatorError where the service
 * refuses or the file cannot be written.
 */
export async function createBatch(
  service: ServiceConnection,
  command: CreateCommand & { readonly issuedBy: string },
  { stdout, stderr }: BatchOutput,
): Promise<void> {
  const { label, note, issuedBy, count, file } = command;
  const options = { ...command, ...(await ownParts(command)), ...sampleOf(count), stickerUrl: service.stickerUrl };
  // Whatever would refuse the file is found before anything is recorded.
  await requireNoFile(file);
  await drawSheets(nowhere(), [generateTagCode((bytes) => crypto.getRandomValues(bytes))], options);

  const batch = await openBatch(service, { label, note, issuedBy, size: count });
  if (batch.recorded > 0) stdout.write(`Continuing “${label}”: ${batch.recorded} codes were recorded before.\n`);
  await writeWholeFile(file, async (out) => {
    await issueCodes(service, batch, showProgress(stderr, 'Recording codes', count));
    const drawing = showProgress(stderr, 'Drawing stickers', count);
    await drawSheets(out, tagCodes(codesOfBatch(service, batch), drawing), options);
    await completeBatch(service, batch);
  });
  stdout.write(
    `${file}: ${count} stickers for ${service.stickerUrl}. Batch: ${label}. ${pagesOf(command, count)}. Print them at 100 %.\n`,
  );
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
  let [printed, claimed] = [0, 0];
  const progress = showProgress(stderr, 'Drawing stickers', batch.recorded);
  async function* counted(): AsyncGenerator<IssuedCode> {
    for await (const code of codesOfBatch(service, batch)) {
      if (code.void_reason !== null) continue;
      printed += 1;
      if (code.owner_id !== null) claimed += 1;
      yield code;
    }
  }
  await writeWholeFile(file, async (out) => {
    const options = { ...command, ...own, ...sampleOf(batch.recorded), stickerUrl: service.stickerUrl };
    await drawSheets(out, tagCodes(counted(), progress), options);
    if (printed === 0) throw new OperatorError(`Every code of “${label}” is void.`);
  });
  const pages = pagesOf(command, printed);
  stdout.write(
    `${file}: ${printed} stickers for ${service.stickerUrl}. Batch: ${label}. ${pages}. Print them at 100 %.\n`,
  );
  if (claimed > 0) stdout.write(`Claimed already: ${claimed}. Do not hand these out as new.\n`);
}

async function* tagCodes(codes: AsyncIterable<IssuedCode>, onDrawn: (drawn: number) => void): AsyncGenerator<string> {
  let drawn = 0;
  for await (const { qr_id: code } of codes) {
    yield code;
    drawn += 1;
    onDrawn(drawn);
  }
}

function sampleOf(stickers: number): Pick<SheetOptions, 'readEach'> {
  return { readEach: Math.max(1, Math.ceil(stickers / READ_AGAIN)) };
}

function pagesOf({ format, firstCell }: SheetCommand, stickers: number): string {
  return `Pages: ${Math.ceil((firstCell + stickers) / cellsPerPage(format))}`;
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
