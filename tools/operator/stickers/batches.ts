import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { refusal, unreachable } from '../or-throw.ts';

const batch = v.object({
  id: v.string(),
  label: v.string(),
  note: v.nullable(v.string()),
  issued_by: v.string(),
  size: v.number(),
  /** How many of its codes are recorded. */
  recorded: v.number(),
  created_at: v.string(),
  /** When its first file was whole; null while it can be continued. */
  completed_at: v.nullable(v.string()),
  voided_at: v.nullable(v.string()),
  void_reason: v.nullable(v.string()),
});

/** Tag codes that were issued together. */
export type Batch = v.InferOutput<typeof batch>;

/** What an operator says of a new batch. */
export interface NewBatch {
  readonly label: string;
  readonly note: string | null;
  readonly issuedBy: string;
  readonly size: number;
}

type Service = Pick<ServiceConnection, 'client' | 'url'>;

interface Refusal {
  readonly message: string;
}

/** The data service's result, or an OperatorError with its message, or that it did not respond. */
export function dataOf<Data>(
  service: Pick<ServiceConnection, 'url'>,
  { data, error, status }: { readonly data: Data; readonly error: Refusal | null; readonly status: number },
): Data {
  if (error === null) return data;
  throw status === 0 ? unreachable(service, error) : refusal(service, status, error.message);
}

/** Returns the batch with this label, or null. */
export async function findBatch(service: Service, label: string): Promise<Batch | null> {
  const found = await service.client.from('sticker_batches').select().eq('label', label).maybeSingle();
  return v.parse(v.nullable(batch), dataOf(service, found));
}

/** Returns the batch with this label. Throws an OperatorError where there is none. */
export async function requireBatch(service: Service, label: string): Promise<Batch> {
  const found = await findBatch(service, label);
  if (found === null)
    throw new OperatorError(`No batch has the label “${label}”. To see them all, run "stickers list".`);
  return found;
}

/**
 * Returns a new batch, or the one with its label that a run has left unfinished. Throws an OperatorError where that one
 * is finished, or has another size.
 */
export async function openBatch(service: Service, wanted: NewBatch): Promise<Batch> {
  const { label, note, issuedBy, size } = wanted;
  const known = await findBatch(service, label);
  if (known !== null) return requireUnfinished(known, wanted);
  const made = await service.client
    .from('sticker_batches')
    .insert({ label, note, issued_by: issuedBy, size })
    .select()
    .single();
  // Another run has made it in the same moment.
  if (made.error?.code === '23505') return requireUnfinished(await requireBatch(service, label), wanted);
  return v.parse(batch, dataOf(service, made));
}

function requireUnfinished(known: Batch, { label, size }: NewBatch): Batch {
  if (known.voided_at !== null)
    throw new OperatorError(`The batch “${label}” is void. Give the new one a different --label.`);
  if (known.completed_at !== null) {
    throw new OperatorError(
      `There is already a batch “${label}”. Name the new one with --label, or print the existing one again with "stickers print".`,
    );
  }
  if (known.size === size) return known;
  throw new OperatorError(`The unfinished batch “${label}” has ${known.size} codes. Continue it with that --count.`);
}

/**
 * Notes that the batch has its first whole file, and can no longer be continued. Throws an OperatorError where another run
 * has done so, since of two files with the same stickers one is kept, and where the batch was voided meanwhile.
 */
export async function completeBatch(service: Service, { id, label }: Batch): Promise<void> {
  const done = await service.client
    .from('sticker_batches')
    .update({ completed_at: new Date().toISOString() })
    .eq('id', id)
    .is('completed_at', null)
    .is('voided_at', null)
    .select('id');
  if (dataOf(service, done)?.length === 1) return;
  await requireNotVoid(service, label);
  throw new OperatorError(
    `Another run made the batch “${label}” in the meantime, so this file was not kept. To print it, run "stickers print".`,
  );
}

/** Throws an OperatorError where the batch was voided meanwhile. */
export async function requireNotVoid(service: Service, label: string): Promise<void> {
  const { void_reason: reason } = await requireBatch(service, label);
  if (reason !== null)
    throw new OperatorError(`The batch “${label}” was voided in the meantime (${reason}), so this file was not kept.`);
}

/** Returns a page of batches, newest first. */
export async function listBatches(
  service: Service,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<{ readonly batches: readonly Batch[]; readonly total: number }> {
  const first = (page - 1) * perPage;
  const found = await service.client
    .from('sticker_batches')
    .select('*', { count: 'exact' })
    .order('created_at', { ascending: false })
    .order('id')
    .range(first, first + perPage - 1);
  // Beyond the last page.
  if (found.status === 416) return { batches: [], total: found.count ?? 0 };
  return { batches: v.parse(v.array(batch), dataOf(service, found)), total: found.count ?? 0 };
}
