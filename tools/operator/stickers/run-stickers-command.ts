import { findLabelFormats, LABEL_FORMATS } from '#domain/stickers/label-formats.ts';
import { cellsPerPage } from '#domain/stickers/sheet-layout.ts';
import { writeWholeFile } from '#server/data-folder/write-whole-file.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { formatTable } from '../print-table.ts';
import type { Output } from '../run-users-command.ts';
import { asJson } from '../write-json.ts';
import { findBatch, listBatches } from './batches.ts';
import { countCodes } from './codes-of-batch.ts';
import { describeBatch, describeBatches } from './describe-batch.ts';
import { describeCalibration } from './describe-calibration.ts';
import { describeCode, reportCode } from './describe-code.ts';
import { drawCalibration } from './draw-sheets.ts';
import { exportBatch } from './export-batch.ts';
import { type BatchOutput, createBatch, printBatch } from './print-batch.ts';
import type { StickersCommand } from './read-stickers-command.ts';
import { restoreCodes, voidCodes } from './void-codes.ts';

type Command<Name extends StickersCommand['name']> = Extract<StickersCommand, { name: Name }>;

/** Runs the command and prints its result. Throws an OperatorError if the service refuses or the file cannot be written. */
export async function runStickersCommand(
  connect: () => Promise<ServiceConnection>,
  command: StickersCommand,
  output: BatchOutput & { readonly env: Readonly<NodeJS.Dict<string>> },
): Promise<void> {
  switch (command.name) {
    case 'formats':
      return printFormats(command, output);
    case 'calibrate': {
      const { format, file } = command;
      await writeWholeFile(file, (out) => drawCalibration(out, format));
      return void output.stdout.write(`${file}: a test page for ${format.id}\n\n${describeCalibration(format)}`);
    }
    case 'create': {
      const { USER, USERNAME } = output.env;
      const issuedBy = command.issuedBy ?? (USER || USERNAME || 'operator');
      return createBatch(await connect(), { ...command, issuedBy }, output);
    }
    case 'print':
      return printBatch(await connect(), command, output);
    case 'list':
      return printBatches(await connect(), command, output);
    case 'show':
      return printSubject(await connect(), command, output);
    case 'void':
      return voidCodes(await connect(), command, output);
    case 'restore':
      return restoreCodes(await connect(), command.subject, output);
    case 'export':
      return exportBatch(await connect(), command, output);
  }
}

function printFormats({ json, filter }: Command<'formats'>, { stdout }: Output): void {
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

async function printBatches(
  service: ServiceConnection,
  { json, page, perPage }: Command<'list'>,
  { stdout }: Output,
): Promise<void> {
  const { batches, total } = await listBatches(service, { page, perPage });
  if (json) return void stdout.write(asJson({ batches, total }));
  stdout.write(describeBatches(batches));
  stdout.write(`\nPage ${page} of ${Math.max(1, Math.ceil(total / perPage))}; batches: ${total}\n`);
}

/** Prints a batch, or the code where no batch has this label. */
async function printSubject(
  service: ServiceConnection,
  { json, subject }: Command<'show'>,
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
