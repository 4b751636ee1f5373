import { clockOf } from '../contact/local-moment.ts';
import { DAY_MS, type OpeningHours, type Span } from '../desks/opening-hours.ts';
import { isolateSigns } from '../isolate-name.ts';
import type { DesksWords } from '../words/compiled/types.ts';

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
/** How many days ahead other hours are said. */
const DAYS_AHEAD = 14;

/**
 * Returns the lines that say when a desk is open, in a language (BCP 47). Days of the same hours are together.
 *
 * @param now - Milliseconds since the epoch: of other days, the next two weeks are said.
 * @example hoursInWords(desk.hours, 'en', words, Date.now()) // ['Mon – Fri: 9:00 AM – 6:00 PM', 'Dec 25: Closed']
 */
export function hoursInWords(hours: OpeningHours, tag: string, words: DesksWords, now: number): readonly string[] {
  const inUtc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
  const weekday = inUtc({ weekday: 'short' });
  const clock = inUtc({ hour: 'numeric', minute: '2-digit' });
  const date = inUtc({ month: 'short', day: 'numeric' });
  const list = new Intl.ListFormat(tag);
  const allDay = new Intl.NumberFormat(tag, { style: 'unit', unit: 'hour', unitDisplay: 'long' }).format(24);
  const said = (spans: readonly Span[]) =>
    spans.length === 0
      ? words.closed
      : list.format(spans.map(([from, to]) => (from === to ? allDay : inOrder(rangeOf(clock, at(from), at(to))))));

  const lines: string[] = [];
  const week = hours.week.map(said);
  for (let first = 0; first < week.length; ) {
    let last = first;
    while (week[last + 1] === week[first]) last += 1;
    const days = rangeOf(weekday, MONDAY + first * DAY_MS, MONDAY + last * DAY_MS);
    lines.push(words.hoursOf({ days, hours: week[first] ?? '' }));
    first = last + 1;
  }
  // The date at the desk.
  const today = Date.parse(clockOf(hours.timeZone)(now).slice(0, 10));
  const until = now + DAYS_AHEAD * DAY_MS;
  for (const [day, spans] of Object.entries(hours.days).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const start = Date.parse(day);
    if (start >= today && start <= until) lines.push(words.hoursOf({ days: date.format(start), hours: said(spans) }));
  }
  return lines;
}

function at(time: string): number {
  return Date.parse(`2024-01-01T${time}Z`);
}

/** Hours of digits alone run from left to right, also in Hebrew. */
function inOrder(hours: string): string {
  return /\p{Letter}/u.test(hours) ? hours : isolateSigns(hours);
}

/** A range as the language writes it. */
function rangeOf(format: Intl.DateTimeFormat, from: number, to: number): string {
  try {
    return format.formatRange(from, to);
  } catch {
    // Browsers before 2023 refuse one that ends before it begins, as hours across midnight do.
    return `${format.format(from)} – ${format.format(to)}`;
  }
}
