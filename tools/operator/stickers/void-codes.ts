import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import type { Output } from '../read-options.ts';
import { dataOf, findBatch } from './batches.ts';
import { reportCode } from './describe-code.ts';

const voidedBatch = v.object({ voided: v.number(), claimed: v.number() });
const voidedCode = v.picklist(['voided', 'void', 'claimed', 'unknown']);

/**
 * Voids a batch, or the code where no batch has this label. Codes of accounts stay as they are unless `claimedToo`.
 * Throws an OperatorError where nothing can be voided.
 */
export async function voidCodes(
  service: ServiceConnection,
  { subject, reason, claimedToo }: { readonly subject: string; readonly reason: string; readonly claimedToo: boolean },
  { stdout }: Output,
): Promise<void> {
  const { client } = service;
  const order = { reason_param: reason, claimed_too: claimedToo };
  const batch = await findBatch(service, subject);
  if (batch !== null) {
    const result = await client.rpc('void_batch', { batch_id_param: batch.id, ...order });
    const { voided, claimed } = v.parse(voidedBatch, dataOf(service, result));
    stdout.write(`Batch ${batch.label} is void. Codes that no longer work: ${voided}.\n`);
    if (claimed > 0) stdout.write(`Claimed, and still working: ${claimed}. To void these too, add --claimed.\n`);
    return;
  }
  const { qr_id: code } = await reportCode(service, subject);
  const outcome = v.parse(voidedCode, dataOf(service, await client.rpc('void_code', { qr_id_param: code, ...order })));
  switch (outcome) {
    case 'voided':
      return void stdout.write(`${code} is void.\n`);
    case 'void':
      throw new OperatorError(`${code} is already void.`);
    case 'claimed':
      throw new OperatorError(`${code} belongs to an account. To void it anyway, add --claimed. Its owner sees why.`);
    case 'unknown':
      throw new OperatorError(`${code} is no longer recorded.`);
  }
}

/** Undoes `voidCodes`. Throws an OperatorError where nothing is void. */
export async function restoreCodes(service: ServiceConnection, subject: string, { stdout }: Output): Promise<void> {
  const { client } = service;
  const batch = await findBatch(service, subject);
  if (batch !== null) {
    if (batch.voided_at === null) throw new OperatorError(`Batch ${batch.label} is not void.`);
    const restored = dataOf(service, await client.rpc('restore_batch', { batch_id_param: batch.id }));
    return void stdout.write(
      `Batch ${batch.label} is restored. Codes that work again: ${v.parse(v.number(), restored)}.\n`,
    );
  }
  const { qr_id: code } = await reportCode(service, subject);
  const wasVoid = dataOf(service, await client.rpc('restore_code', { qr_id_param: code }));
  if (!v.parse(v.boolean(), wasVoid)) throw new OperatorError(`${code} is not void.`);
  stdout.write(`${code} works again.\n`);
}
