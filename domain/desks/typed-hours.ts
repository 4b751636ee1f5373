import { areDays, isWeek, type OpeningHours, type Span } from './opening-hours.ts';

const SPAN = /^(\d{1,2})[:.]?(\d\d)?\s*[-–]\s*(\d{1,2})[:.]?(\d\d)?$/;

/**
 * Reads the hours of a day as people write them; none for an empty text. Returns null for what are none. `0-24` is all day.
 *
 * @example readDayHours('9-12:30, 14:00–18:00') // [['09:00', '12:30'], ['14:00', '18:00']]
 */
export function readDayHours(typed: string): readonly Span[] | null {
  const spans: Span[] = [];
  for (const part of typed.split(',').map((text) => text.trim())) {
    if (part === '') continue;
    const [, fromHour = '', fromMinute = '00', toHour = '', toMinute = '00'] = SPAN.exec(part) ?? [];
    if (fromHour === '') return null;
    const to = `${toHour.padStart(2, '0')}:${toMinute}`;
    spans.push([`${fromHour.padStart(2, '0')}:${fromMinute}`, to === '24:00' ? '00:00' : to]);
  }
  return isWeek([spans, [], [], [], [], [], []]) ? spans : null;
}

/** Writes the hours of a day as `readDayHours` reads them. */
export function writeDayHours(spans: readonly Span[]): string {
  return spans.map(([from, to]) => `${from}–${to === '00:00' ? '24:00' : to}`).join(', ');
}

/**
 * Reads days with other hours, a line or part before `;` for each: the date, and its hours. Without hours it is closed.
 * Returns null for what are none.
 *
 * @example readOtherDays('2026-12-24 9-12; 2026-12-25') // { '2026-12-24': [['09:00', '12:00']], '2026-12-25': [] }
 */
export function readOtherDays(typed: string): OpeningHours['days'] | null {
  const days: Record<string, readonly Span[]> = {};
  for (const line of typed.split(/[;\n]/).map((text) => text.trim())) {
    if (line === '') continue;
    const spans = readDayHours(line.slice(10));
    if (spans === null) return null;
    days[line.slice(0, 10)] = spans;
  }
  return areDays(days) ? days : null;
}

/** Writes days with other hours as `readOtherDays` reads them, a line for each. */
export function writeOtherDays(days: OpeningHours['days']): string {
  return Object.entries(days)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, spans]) => `${date} ${writeDayHours(spans)}`.trim())
    .join('\n');
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/**
 * Reads the hours of a week. Days that are not named are closed. Returns null for what are none.
 *
 * @example readWeek('mon-fri 9-18; sat 10:00-14:00')
 */
export function readWeek(typed: string): OpeningHours['week'] | null {
  const week: (readonly Span[])[] = WEEKDAYS.map(() => []);
  for (const part of typed.toLowerCase().split(';')) {
    if (part.trim() === '') continue;
    const [, first = '', last = first, rest = ''] = /^\s*([a-z]{3})(?:-([a-z]{3}))?\s+(.*)$/.exec(part) ?? [];
    const [from, to] = [WEEKDAYS.indexOf(first), WEEKDAYS.indexOf(last)];
    const spans = readDayHours(rest);
    if (from < 0 || to < from || spans === null || spans.length === 0) return null;
    week.fill(spans, from, to + 1);
  }
  return week;
}

/** Writes the hours of a week as `readWeek` reads them. */
export function writeWeek(week: OpeningHours['week']): string {
  return week
    .flatMap((spans, day) => (spans.length === 0 ? [] : [`${WEEKDAYS[day]} ${writeDayHours(spans)}`]))
    .join('; ');
}
