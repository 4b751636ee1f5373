import type { Language } from '#domain/language.ts';
import { finderPageTexts } from '#domain/texts/finder/finder.ts';

/** The server does not know the finder's time zone; the script replaces this with local time. */
export function momentInUtc(moment: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return finderPageTexts(language).conversation.inUtc(format.format(new Date(moment)));
}
