import type { FinderViewLanguage } from '#domain/finder-language.ts';

/** The server does not know the finder's time zone; the script replaces this with local time. */
export function momentInUtc(moment: string, language: FinderViewLanguage): string {
  const format = new Intl.DateTimeFormat(language.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return language.texts.conversation.inUtc(format.format(new Date(moment)));
}
