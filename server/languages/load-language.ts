import { type FinderLanguage, finderTexts } from '#domain/finder-language.ts';
import { LANGUAGE_LIST, type ListedLanguage } from '#domain/language-list.ts';
import { words as english } from '#domain/words/compiled/en/index.ts';
import { loadVisitorWords } from '#domain/words/compiled/load-words.ts';
import type { VisitorWords } from '#domain/words/compiled/types.ts';

/** The languages of this build: those of the list whose message files are there. */
export const FINDER_LANGUAGES: readonly ListedLanguage[] = LANGUAGE_LIST.filter(({ tag }) =>
  Object.hasOwn(loadVisitorWords, tag),
);

export const englishForFinders = withWords({ tag: 'en', direction: 'ltr' }, english);

/** By tag. A language is loaded when somebody asks for it, and stays: all of them are a few megabytes. */
const loaded = new Map<string, FinderLanguage>([[englishForFinders.tag, englishForFinders]]);

/** Returns a language that is loaded. */
export function loadedLanguage(tag: string): FinderLanguage | undefined {
  return loaded.get(tag);
}

/** Loads a language; English for a tag that is none of ours. */
export async function loadLanguage(tag: string): Promise<FinderLanguage> {
  const known = loaded.get(tag);
  if (known !== undefined) return known;
  const listed = FINDER_LANGUAGES.find((language) => language.tag === tag);
  const words = await loadVisitorWords[listed?.tag ?? '']?.();
  if (listed === undefined || words === undefined) return englishForFinders;
  const language = withWords(listed, words);
  loaded.set(tag, language);
  return language;
}

function withWords({ tag, direction }: Pick<ListedLanguage, 'tag' | 'direction'>, words: VisitorWords): FinderLanguage {
  return { tag, direction, words, texts: finderTexts(words) };
}
