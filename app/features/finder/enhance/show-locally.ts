/** Shows a moment in the finder's own time zone. */
export function showLocally(time: HTMLTimeElement | null): void {
  if (!time?.dateTime) return;
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  time.textContent = format.format(new Date(time.dateTime));
}
