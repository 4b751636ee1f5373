import type { WriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { findLabelFormats, LABEL_FORMATS } from '#domain/stickers/label-formats.ts';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { formatTable } from '../print-table.ts';
import type { Output } from '../run-users-command.ts';
import { asJson } from '../write-json.ts';
import { drawCalibration, drawSheets } from './draw-sheets.ts';
import { issueCodes } from './issue-codes.ts';
import type { StickersCommand } from './read-stickers-command.ts';

/** Runs the command and prints its result. Throws an OperatorError if the service refuses or the file cannot be written. */
export async function runStickersCommand(
  connect: () => Promise<ServiceConnection>,
  command: StickersCommand,
  { stdout }: Output,
): Promise<void> {
  if (command.name === 'formats') {
    const formats = findLabelFormats(command.filter);
    if (command.json) return void stdout.write(asJson(formats));
    const rows = formats.map((format) => [
      format.id,
      `${format.width} × ${format.height} mm`,
      format.shape,
      String(cellsPerPage(format)),
      format.page,
      format.parts.join(', '),
    ]);
    stdout.write(formatTable(['FORMAT', 'LABEL', 'SHAPE', 'A PAGE', 'PAGE', 'NUMBERS'], rows));
    return void stdout.write(`\nFormats: ${formats.length} of ${LABEL_FORMATS.length}\n`);
  }
  const { format, file, offset } = command;
  if (command.name === 'calibrate') {
    await writeNewFile(file, (out) => drawCalibration(out, format, offset));
    return void stdout.write(`${file}: the outlines of ${format.id}. Print it at 100 % and lay it over the labels.\n`);
  }
  const { count, firstCell } = command;
  const service = await connect();
  const options = { format, publicUrl: service.url, firstCell, offset };
  await writeNewFile(file, (out) => drawSheets(out, issueCodes(service, count), options));
  const pages = Math.ceil((firstCell + count) / cellsPerPage(format));
  stdout.write(`${file}: ${count} stickers for ${service.url}. Pages: ${pages}. Print them at 100 %.\n`);
}

/**
 * Writes a file that only its owner can read, because its reader could claim the codes. Removes it where that fails.
 * Throws an OperatorError where it exists or cannot be created.
 */
async function writeNewFile(file: string, write: (out: WriteStream) => Promise<void>): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} could not be written: ${cause.message}`, { cause });
  });
  const out = handle.createWriteStream();
  try {
    await write(out);
  } catch (error) {
    out.destroy();
    await rm(file, { force: true });
    throw error;
  }
}
