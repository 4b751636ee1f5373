import { clockOf } from '../contact/local-moment.ts';
import type { Desk } from '../desks/desk.ts';
import { DAY_MS, type Span } from '../desks/opening-hours.ts';
import type { DesksWords } from '../words/compiled/types.ts';

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
/** How many days ahead other hours are said. */
const DAYS_AHEAD = 14;

/**
 * Returns the lines that say when a desk is open, and its number, in a language (BCP 47). Days of the same hours are together.
 *
 * @param now - Milliseconds since the epoch: of other days, the next two weeks are said.
 * @example deskInWords(desk, 'en', words, Date.now()) // ['Mon – Fri: 9:00 AM – 6:00 PM', 'Dec 25: Closed', '+49 30 1234567']
 */
export function deskInWords({ hours, phone }: Desk, tag: string, words: DesksWords, now: number): readonly string[] {
  const inUtc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
  const weekday = inUtc({ weekday: 'short' });
  const clock = inUtc({ hour: 'numeric', minute: '2-digit' });
  const date = inUtc({ month: 'short', day: 'numeric' });
  const time = (text: string) => clock.format(new Date(`2024-01-01T${text}Z`));
  const said = (spans: readonly Span[]) => spans.map((span) => span.map(time).join(' – ')).join(', ') || words.closed;

  const lines: string[] = [];
  const week = hours.week.map(said);
  for (let first = 0; first < week.length; ) {
    let last = first;
    while (week[last + 1] === week[first]) last += 1;
    const days = [...new Set([first, last])].map((day) => weekday.format(MONDAY + day * DAY_MS));
    lines.push(`${days.join(' – ')}: ${week[first]}`);
    first = last + 1;
  }
  // The date at the desk.
  const today = Date.parse(clockOf(hours.timeZone)(now).slice(0, 10));
  const until = now + DAYS_AHEAD * DAY_MS;
  for (const [day, spans] of Object.entries(hours.days).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const at = Date.parse(day);
    if (at >= today && at <= until) lines.push(`${date.format(at)}: ${said(spans)}`);
  }
  return phone === null ? lines : [...lines, phone];
}
