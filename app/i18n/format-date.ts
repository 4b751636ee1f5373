import { readLanguage } from './use-texts.ts';

/** Formats a date, in the page's language and the browser's time zone. */
export function formatDay(iso: string): string {
  return new Intl.DateTimeFormat(readLanguage().tag, { dateStyle: 'medium' }).format(new Date(iso));
}

/** Formats a day and a time. Includes the year unless it is the current one. */
export function formatMoment(iso: string): string {
  return formatTime(iso, { minute: '2-digit' });
}

/** Like `formatMoment`, but to the hour, for times stored to the hour. */
export function formatHour(iso: string): string {
  return formatTime(iso, {});
}

function formatTime(iso: string, options: Intl.DateTimeFormatOptions): string {
  const moment = new Date(iso);
  const isOfThisYear = moment.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(readLanguage().tag, {
    ...(!isOfThisYear && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    ...options,
  }).format(moment);
}
