import type { FinderLanguage } from '#domain/finder-language.ts';
import { deskStateInWords } from '#domain/texts/desk-state-in-words.ts';
import type { PageBuild } from '../pages/pages.ts';
import type { DesksNow } from './desks.ts';

type ShownDesks = Parameters<PageBuild['renderDesksDocument']>[2]['desks'];

/**
 * Describes the first `most` desks in a language; undefined where there are none.
 *
 * @param inFull - With their numbers and languages.
 */
export function desksInWords(
  { desks }: DesksNow,
  { tag, words }: FinderLanguage,
  { most, inFull = false }: { readonly most: number; readonly inFull?: boolean },
): ShownDesks | undefined {
  if (desks.length === 0) return undefined;
  const languageNames = new Intl.DisplayNames(tag, { type: 'language' });
  const list = desks.slice(0, most).map(({ id, name, place, phone, languages, state }) => {
    const spoken = languages.map((language) => languageNames.of(language) ?? language);
    const said = { id, name, place, state: deskStateInWords(state, tag, words.desks) };
    return inFull ? { ...said, more: [phone, ...spoken].filter((part) => part !== null) } : said;
  });
  // The page of all has the numbers as well.
  return { list, hasMore: !inFull, words: words.desks };
}
