const LOCAL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::\d\d(?:\.\d{1,3})?)?$/;

/**
 * Returns the instant (ISO 8601) at which the clocks of a time zone show a local time, as the field `datetime-local` has it.
 * Of a time that the clocks skip or repeat, one that is at most an hour away. Null for what is no local time of the years 2000
 * to 2999, or no time zone.
 *
 * @example instantOf('2026-11-30T17:00', 'Asia/Jerusalem') // '2026-11-30T15:00:00.000Z'
 */
export function instantOf(local: string, timeZone: string): string | null {
  const [, year = '', month = '', day = '', hour = '', minute = ''] = LOCAL.exec(local) ?? [];
  const asUtc = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  if (Number.isNaN(asUtc) || !/^2\d{3}$/.test(year)) return null;
  try {
    // Once with the offset of that time in UTC, and again with that of the instant found: it may have changed between them.
    const near = asUtc - offsetAt(asUtc, timeZone);
    return new Date(asUtc - offsetAt(near, timeZone)).toISOString();
  } catch {
    return null;
  }
}

/** How far the clocks of the zone are ahead of UTC, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
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
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute } = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) - Math.floor(instant / 60_000) * 60_000;
}
