import * as v from 'valibot';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { readStickerCode } from '#domain/tag-code/read-scanned-value.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { formatTable } from '../print-table.ts';
import { dataOf } from './batches.ts';

const codeReport = v.object({
  qr_id: v.string(),
  issued_at: v.nullable(v.string()),
  claimed_at: v.nullable(v.string()),
  owner_id: v.nullable(v.string()),
  batch_place: v.nullable(v.number()),
  voided_at: v.nullable(v.string()),
  void_reason: v.nullable(v.string()),
  sticker_batches: v.nullable(v.object({ label: v.string() })),
});

/** What an operator reads about one code. */
export type CodeReport = v.InferOutput<typeof codeReport>;

/**
 * Returns what is recorded of a code, which is given as a sticker has it: its link, its tag code, or its typed code.
 * Throws an OperatorError where no such code is recorded.
 */
export async function reportCode(service: ServiceConnection, text: string): Promise<CodeReport> {
  const unknown = new OperatorError(`No batch or code matches “${text}”.`);
  const sticker = readStickerCode(text);
  if (sticker === null) throw unknown;
  const code =
    sticker.kind === 'tag-code'
      ? sticker.code
      : dataOf(service, await service.client.rpc('find_typed_code', { typed_code_param: sticker.typedCode }));
  const found = await service.client
    .from('qr_codes')
    .select('qr_id, issued_at, claimed_at, owner_id, batch_place, voided_at, void_reason, sticker_batches(label)')
    .eq('qr_id', v.parse(v.nullable(v.string()), code) ?? '')
    .maybeSingle();
  const report = v.parse(v.nullable(codeReport), dataOf<unknown>(service, found));
  if (report === null) throw unknown;
  return report;
}

export function describeCode(code: CodeReport): string {
  const { sticker_batches: batch, batch_place: place } = code;
  return formatTable(
    ['CODE', code.qr_id],
    [
      ['Typed code', typedCodeOf(code.qr_id)],
      ['Batch', batch === null ? '–' : `${batch.label}, sticker ${(place ?? 0) + 1}`],
      ['Issued', code.issued_at ?? '–'],
      ['Claimed', code.owner_id === null ? 'no' : `${code.claimed_at} by account ${code.owner_id}`],
      ['Void', code.voided_at === null ? 'no' : `${code.voided_at}: ${code.void_reason}`],
    ],
  );
}
