import type { Transaction } from '#server/postgres/statement.ts';

/** Number of the newest codes kept for each range: those that are judged, and those that may still be entered. */
const KEPT_CODES = 100;

/** Ranges of 10,000 adjacent numbers: the unit in which numbers are rented for SMS fraud. */
const DIGITS_WITHIN_RANGE = 4;

/** Returns the range of a number (E.164): all numbers that differ only in the last four digits. */
export function rangeOf(number: string): string {
  return number.slice(0, -DIGITS_WITHIN_RANGE);
}

export interface RangeRow {
  /** One entry for each code, oldest first. */
  readonly sent_at: readonly Date[];
  readonly came_back: readonly boolean[];
  readonly open_since: Date | null;
}

export async function readRange(from: Transaction, range: string): Promise<RangeRow | undefined> {
  const { rows } = await from.query<RangeRow>({
    name: 'auth_sms_range',
    text: 'select sent_at, came_back, open_since from auth.sms_ranges where number_range = $1',
    values: [range],
  });
  return rows[0];
}

/**
 * Opens the range: SMS to it are held back, and codes sent from now on are trials. Returns false if it was open
 * already.
 */
export async function openRange(from: Transaction, range: string, at: Date): Promise<boolean> {
  const { rowCount } = await from.query({
    name: 'auth_open_sms_range',
    text: `update auth.sms_ranges set open_since = $2, sent_at = '{}', came_back = '{}'
             where number_range = $1 and open_since is null`,
    values: [range, at],
  });
  return rowCount === 1;
}

/**
 * Closes the range: SMS to it are sent again, and its trials count like other codes. Returns false if it was closed
 * already.
 */
export async function closeRange(from: Transaction, range: string): Promise<boolean> {
  const { rowCount } = await from.query({
    name: 'auth_close_sms_range',
    text: `update auth.sms_ranges set open_since = null, by_hand = false
             where number_range = $1 and open_since is not null`,
    values: [range],
  });
  return rowCount === 1;
}

/** A code sent by SMS to a number (E.164) that its account had not proved. */
export interface CountedSms {
  readonly number: string;
  /** When the code was created. Identifies the code. */
  readonly madeAt: Date;
}

/** Records a sent code. */
export async function noteSentSms(from: Transaction, { number, madeAt }: CountedSms): Promise<void> {
  await from.query({
    name: 'auth_note_sent_sms',
    text: `insert into auth.sms_ranges as kept (number_range, sent_at, came_back, last_sent_at)
             values ($1, array[$2::timestamptz], array[false], $2)
             on conflict (number_range) do update set
               sent_at = (kept.sent_at || excluded.sent_at)[greatest(1, cardinality(kept.sent_at) + 2 - $3):],
               came_back = (kept.came_back || excluded.came_back)[greatest(1, cardinality(kept.came_back) + 2 - $3):],
               last_sent_at = greatest(kept.last_sent_at, excluded.last_sent_at)`,
    values: [rangeOf(number), madeAt, KEPT_CODES],
  });
}

/** Records that a code was entered. Does nothing if the code is no longer kept or was never counted. */
export async function noteReturnedSms(from: Transaction, { number, madeAt }: CountedSms): Promise<void> {
  await from.query({
    name: 'auth_note_returned_sms',
    // Of several codes created at the same moment, marks one for each code entered.
    text: `with kept as materialized (
               select number_range, sent_at, came_back from auth.sms_ranges where number_range = $1 for update
             ), code as (
               select kept.number_range, min(code.place)::int as place
                 from kept, unnest(kept.sent_at, kept.came_back) with ordinality as code (sent_at, came_back, place)
                 where code.sent_at = $2 and not code.came_back group by kept.number_range
             )
             update auth.sms_ranges as range set came_back[code.place] = true
               from code where range.number_range = code.number_range`,
    values: [rangeOf(number), madeAt],
  });
}
