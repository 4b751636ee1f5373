import { isRecord, parseRecord } from './frames.ts';
import type { ChangedRow } from './prefilter.ts';

/** A committed change of one row, as the capturing trigger told it. */
export interface Change {
  readonly schema: string;
  readonly table: string;
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE';
  /** RFC 3339 in UTC, to the millisecond. */
  readonly at: string;
  /** Null for a deletion. */
  readonly record: ChangedRow | null;
  /** An update has its primary key here, or every column where REPLICA IDENTITY is FULL; a deletion every column. */
  readonly oldRecord: ChangedRow | null;
  /** Values over 64 bytes were left out, since the whole is over 1 MB. */
  readonly large: boolean;
  /** The change as it came, JSON with `record` and `old_record`: for PostgreSQL, whose numbers are longer than ours. */
  readonly source: string;
}

/** Reads a whole notification of `realtime.capture_change`; null for anything else. */
export function parseChange(text: string): Change | null {
  const parsed = parseRecord(text);
  if (parsed === null) return null;
  const { schema, table, type, at, record, old_record: oldRecord, large } = parsed;
  if (typeof schema !== 'string' || typeof table !== 'string' || typeof at !== 'string') return null;
  if (type !== 'INSERT' && type !== 'UPDATE' && type !== 'DELETE') return null;
  return {
    schema,
    table,
    type,
    at: at.replace(/(\.\d{3})\d*Z$/, '$1Z'),
    record: isRecord(record) ? record : null,
    oldRecord: isRecord(oldRecord) ? oldRecord : null,
    large: large === true,
    source: text,
  };
}
