import { formatTable } from '../print-table.ts';
import type { Batch } from './batches.ts';

/** A batch with what has become of its codes. */
export interface BatchReport extends Batch {
  /** How many of its codes belong to an account. */
  readonly claimed: number;
  /** How many no longer work. */
  readonly void: number;
}

export function describeBatches(batches: readonly Batch[]): string {
  const rows = batches.map((batch) => [
    batch.label,
    String(batch.size),
    batch.created_at.slice(0, 10),
    batch.issued_by,
    stateOf(batch),
    batch.note ?? '',
  ]);
  return formatTable(['LABEL', 'CODES', 'ISSUED', 'BY', 'STATE', 'NOTE'], rows);
}

export function describeBatch(batch: BatchReport): string {
  return formatTable(
    ['BATCH', batch.label],
    [
      ['Note', batch.note ?? '–'],
      ['Issued', `${batch.created_at} by ${batch.issued_by}`],
      ['State', stateOf(batch)],
      ['Codes', String(batch.size)],
      ['Claimed', String(batch.claimed)],
      ['Void', String(batch.void)],
    ],
  );
}

function stateOf({ size, recorded, completed_at: completedAt, void_reason: reason }: Batch): string {
  if (reason !== null) return `void: ${reason}`;
  return completedAt === null ? `unfinished: ${recorded} of ${size} recorded` : 'complete';
}
