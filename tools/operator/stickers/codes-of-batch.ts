import * as v from 'valibot';
import type { ServiceConnection } from '../connect-to-service.ts';
import { type Batch, dataOf } from './batches.ts';

/** How many codes one request reads, at most: the server may return fewer. */
const PAGE = 1_000;

const issuedCode = v.object({
  qr_id: v.string(),
  batch_place: v.number(),
  issued_at: v.string(),
  owner_id: v.nullable(v.string()),
  void_reason: v.nullable(v.string()),
});

/** A code of a batch. */
export type IssuedCode = v.InferOutput<typeof issuedCode>;

type Service = Pick<ServiceConnection, 'client' | 'url'>;

/** Yields the codes of a batch in the order of their places, and holds one page of them in memory. */
export async function* codesOfBatch(service: Service, { id, size }: Batch): AsyncGenerator<IssuedCode> {
  for (let from = 0; from < size; ) {
    const read = await service.client
      .from('qr_codes')
      .select('qr_id, batch_place, issued_at, owner_id, void_reason')
      .eq('batch_id', id)
      .gte('batch_place', from)
      .order('batch_place')
      .limit(PAGE);
    const codes = v.parse(v.array(issuedCode), dataOf(service, read));
    const last = codes.at(-1);
    if (last === undefined) return;
    yield* codes;
    from = last.batch_place + 1;
  }
}

/** Returns how many codes of the batch have a value in the column: `owner_id` if claimed, `voided_at` if void. */
export async function countCodes(service: Service, { id }: Batch, having: 'owner_id' | 'voided_at'): Promise<number> {
  const counted = await service.client
    .from('qr_codes')
    .select('qr_id', { count: 'exact', head: true })
    .eq('batch_id', id)
    .not(having, 'is', null);
  dataOf(service, counted);
  return counted.count ?? 0;
}
