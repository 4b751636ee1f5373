/** A day as people write it, in the language of the page and this browser's time zone. */
export function formatDay(iso: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(new Date(iso));
}

/** A day and a time. */
export function formatMoment(iso: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

/** A day and the hour in which it was, for a time that is kept to the hour. */
export function formatHour(iso: string): string {
  return new Intl.DateTimeFormat(language(), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
  }).format(new Date(iso));
}

function language(): string {
  return document.documentElement.lang || 'en';
}
