import { clockOf, instantOn } from '../contact/local-moment.ts';

/** From and to, as `HH:MM`. It ends on the next day where it does not end later than it begins; `00:00` to `00:00` is all day. */
export type Span = readonly [from: string, to: string];

export interface OpeningHours {
  /** Monday first. */
  readonly week: readonly (readonly Span[])[];
  /** Days with other hours, none on a holiday, by `YYYY-MM-DD`. They replace what begins on that day. */
  readonly days: Readonly<Record<string, readonly Span[]>>;
  /** IANA. */
  readonly timeZone: string;
}

/** Milliseconds since the epoch. */
export interface OpenState {
  readonly isOpen: boolean;
  /** When it closes, or opens. Null where that is later than it is looked for, as at a desk that never closes. */
  readonly changesAt: number | null;
}

export const DAY_MS = 86_400_000;
/** How many days ahead a change is looked for: longer than holidays in a row, and few enough to read quickly. */
const DAYS_AHEAD = 62;

/**
 * Returns whether it is open at an instant (milliseconds since the epoch), and when that changes. Hours that meet or
 * overlap, also at midnight, are one. The clocks are those of the time zone, also on days on which they change.
 *
 * @example openState({ week, days: {}, timeZone: 'Europe/Berlin' }, Date.now()) // { isOpen: true, changesAt: 1796144400000 }
 */
export function openState(hours: OpeningHours, now: number): OpenState {
  const clock = clockOf(hours.timeZone);
  const today = Date.parse(clock(now).slice(0, 10));
  /** When what it is open for now ends. */
  let closes: number | null = null;
  // What began yesterday may last until now.
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead += 1) {
    const spans = instantsOf(hours, today + ahead * DAY_MS, clock);
    for (const [from, to] of spans) {
      if (to <= now || (closes !== null && to <= closes)) continue;
      if (from <= (closes ?? now)) closes = to;
      else return closes === null ? { isOpen: false, changesAt: from } : { isOpen: true, changesAt: closes };
    }
    // What begins on a later day begins after it.
    if (closes !== null && closes < today + (ahead + 1) * DAY_MS - 2 * DAY_MS) break;
  }
  return closes === null || closes > now + (DAYS_AHEAD - 2) * DAY_MS
    ? { isOpen: closes !== null, changesAt: null }
    : { isOpen: true, changesAt: closes };
}

/** Returns the spans that begin on a day as instants, in their order. */
function instantsOf(
  { week, days }: OpeningHours,
  day: number,
  clock: (instant: number) => string,
): readonly (readonly [number, number])[] {
  const date = dateOf(day);
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  const spans = days[date] ?? week[weekday] ?? [];
  return (
    spans
      .map(([from, to]): readonly [number, number] => {
        const last = to > from ? date : dateOf(day + DAY_MS);
        return [instantOn(`${date}T${from}`, clock), instantOn(`${last}T${to}`, clock)];
      })
      // Hours within the one that the clocks skip may end before they begin.
      .filter(([from, to]) => from < to)
      .sort(([a], [b]) => a - b)
  );
}

function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const DATE = /^2\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
/** The most spans of a day, and the most days with other hours. The table has the same limits. */
const MOST_SPANS = 4;
const MOST_DAYS = 200;

/** Whether a value is the week of opening hours. */
export function isWeek(value: unknown): value is OpeningHours['week'] {
  return Array.isArray(value) && value.length === 7 && value.every(areSpans);
}

/** Whether a value has the days with other hours. */
export function areDays(value: unknown): value is OpeningHours['days'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= MOST_DAYS && entries.every(([date, spans]) => DATE.test(date) && areSpans(spans));
}

function areSpans(value: unknown): value is readonly Span[] {
  return Array.isArray(value) && value.length <= MOST_SPANS && value.every(isSpan);
}

function isSpan(value: unknown): value is Span {
  return (
    Array.isArray(value) && value.length === 2 && value.every((time) => typeof time === 'string' && TIME.test(time))
  );
}
