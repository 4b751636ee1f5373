import * as v from 'valibot';
import { generateTagCode } from '#domain/tag-code/tag-code.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { type Batch, dataOf, requireNotVoid } from './batches.ts';

/** How many codes one request issues. */
const CHUNK = 500;

/**
 * Generates the codes that the batch still lacks and records them as issued, a chunk at a time. Where another run fills
 * the same batch, its codes count. Calls `onRecorded` with the number of codes that the batch has. Throws an
 * OperatorError where the service refuses.
 */
export async function issueCodes(
  service: Pick<ServiceConnection, 'client' | 'url'>,
  { id, label, size, recorded }: Batch,
  onRecorded: (recorded: number) => void,
): Promise<void> {
  for (let done = recorded; done < size; onRecorded(done)) {
    const codes = Array.from({ length: Math.min(CHUNK, size - done) }, () =>
      generateTagCode((bytes) => crypto.getRandomValues(bytes)),
    );
    const result = await service.client.rpc('issue_codes', { batch_id_param: id, first_place: done, codes });
    if (result.status === 409) await requireNotVoid(service, label);
    done = v.parse(v.number(), dataOf(service, result));
  }
}
