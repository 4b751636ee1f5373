import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { csvLine } from '#domain/csv.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { writeWholeFile } from '#server/data-folder/write-whole-file.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import type { Output } from '../read-options.ts';
import { requireBatch } from './batches.ts';
import { codesOfBatch, type IssuedCode } from './codes-of-batch.ts';

const HEAD = ['batch', 'place', 'tag_code', 'typed_code', 'link', 'issued_at', 'state', 'void_reason'] as const;

/** Writes the codes of a batch as CSV, to the file or else to the terminal. */
export async function exportBatch(
  service: ServiceConnection,
  { label, file }: { readonly label: string; readonly file: string | null },
  { stdout }: Output,
): Promise<void> {
  const lines = batchLines(service, label);
  if (file === null) {
    for await (const line of lines) stdout.write(line);
    return;
  }
  await writeWholeFile(file, async (out) => {
    const written = finished(out);
    // Awaited at the end. A failure until then must not end the process.
    written.catch(() => undefined);
    for await (const line of lines) if (!out.write(line)) await once(out, 'drain');
    out.end();
    await written;
  });
  stdout.write(`Wrote ${file}.\n`);
}

async function* batchLines(service: ServiceConnection, label: string): AsyncGenerator<string> {
  const batch = await requireBatch(service, label);
  yield csvLine(HEAD);
  for await (const issued of codesOfBatch(service, batch)) {
    const { qr_id: code, batch_place: place, issued_at: issuedAt, void_reason: reason } = issued;
    const link = stickerLink(service.stickerUrl, code);
    yield csvLine([label, place + 1, code, typedCodeOf(code), link, issuedAt, stateOf(issued), reason]);
  }
}

function stateOf({ owner_id: owner, void_reason: reason }: IssuedCode): 'void' | 'free' | 'claimed' {
  if (reason !== null) return 'void';
  return owner === null ? 'free' : 'claimed';
}
