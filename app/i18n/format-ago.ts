import { readLanguage } from './use-texts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Formats how long ago a time was, as short as possible: minutes and hours, days within the last week, and the date of
 * what is older, with the year unless it is the current one. Null for less than a minute, and for a time to come.
 *
 * @param now - In milliseconds, as of `Date.now()`.
 */
export function formatAgo(iso: string, now: number): string | null {
  const moment = new Date(iso);
  const ago = now - moment.getTime();
  const { tag } = readLanguage();
  if (ago < MINUTE_MS) return null;
  if (ago >= 7 * DAY_MS) {
    const isOfThisYear = moment.getFullYear() === new Date(now).getFullYear();
    return new Intl.DateTimeFormat(tag, {
      ...(!isOfThisYear && { year: 'numeric' }),
      month: 'short',
      day: 'numeric',
    }).format(moment);
  }
  const inWords = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'narrow' });
  if (ago < HOUR_MS) return inWords.format(-Math.floor(ago / MINUTE_MS), 'minute');
  if (ago < DAY_MS) return inWords.format(-Math.floor(ago / HOUR_MS), 'hour');
  return inWords.format(-Math.floor(ago / DAY_MS), 'day');
}
