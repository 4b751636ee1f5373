import type { Language } from '#domain/language.ts';

/** The server does not know the finder's time zone; the script replaces this with local time. */
export function momentInUtc(moment: string, { tag, texts }: Language): string {
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return texts.conversation.inUtc(format.format(new Date(moment)));
}
