import { isRecord, parseRecord } from '../wire/frames.ts';
import type { ChangedRow } from './prefilter.ts';

/** A committed change of one row, as reported by the capturing trigger. */
export interface Change {
  readonly schema: string;
  readonly table: string;
  readonly type: 'INSERT' | 'UPDATE' | 'DELETE';
  /** RFC 3339 in UTC, to the millisecond. */
  readonly at: string;
  /** Null for a DELETE. */
  readonly record: ChangedRow | null;
  /** For an UPDATE the primary key, or every column under REPLICA IDENTITY FULL; for a DELETE every column. */
  readonly oldRecord: ChangedRow | null;
  /** Values over 64 bytes were left out because the change exceeds 1 MB. */
  readonly large: boolean;
  /**
   * The change as received: JSON with `record` and `old_record`. It is passed back to PostgreSQL, because its numbers
   * can be more precise than JavaScript's.
   */
  readonly source: string;
}

/** Parses a notification of `realtime.capture_change`. Returns null for anything else. */
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
