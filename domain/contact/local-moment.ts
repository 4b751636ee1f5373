const LOCAL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::\d\d(?:\.\d{1,3})?)?$/;

/**
 * Returns the instant (ISO 8601) at which the clocks of a time zone show a local time, as the field `datetime-local` has it.
 * Of a time that the clocks repeat, the first; of one that they skip, as long after they do as it would be. Null for what is no local time of the years 2000
 * to 2999, or no time zone.
 *
 * @example instantOf('2026-11-30T17:00', 'Asia/Jerusalem') // '2026-11-30T15:00:00.000Z'
 */
export function instantOf(local: string, timeZone: string): string | null {
  const [, year = '', month = '', day = '', hour = '', minute = ''] = LOCAL.exec(local) ?? [];
  const asUtc = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  if (Number.isNaN(asUtc) || !/^2\d{3}$/.test(year)) return null;
  try {
    return new Date(instantOn(`${year}-${month}-${day}T${hour}:${minute}`, clockOf(timeZone))).toISOString();
  } catch {
    return null;
  }
}

/**
 * Returns the instant (milliseconds since the epoch) at which a clock shows a local time (`YYYY-MM-DDTHH:MM`), as
 * `instantOf` does.
 */
export function instantOn(local: string, clock: (instant: number) => string): number {
  const asUtc = Date.parse(`${local}Z`);
  // Clocks change at most once in two days.
  const before = asUtc - offsetAt(asUtc - DAY_MS, clock);
  const after = asUtc - offsetAt(asUtc + DAY_MS, clock);
  return before !== after && clock(before) !== local && clock(after) === local ? after : before;
}

/**
 * Returns a function that says what the clocks of a time zone show at an instant (milliseconds since the epoch), as
 * `YYYY-MM-DDTHH:MM`. Throws a RangeError for what is no time zone.
 */
export function clockOf(timeZone: string): (instant: number) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const { year, month, day, hour, minute } = parts;
    return `${year}-${month}-${day}T${hour}:${minute}`;
  };
}

const DAY_MS = 86_400_000;

/** How far the clock is ahead of UTC, in milliseconds. */
function offsetAt(instant: number, clock: (instant: number) => string): number {
  return Date.parse(`${clock(instant)}Z`) - Math.floor(instant / 60_000) * 60_000;
}
