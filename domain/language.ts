import { en, type Texts } from './texts/en.ts';

/** A language of the product: what a document declares about itself, and the texts of its screens. */
export interface Language {
  /** BCP 47, such as `en`. Documents have it as `lang`; dates and lists are formatted with it. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: Texts;
}

export const english: Language = { tag: 'en', direction: 'ltr', texts: en };

/** The languages of this build. The first is the fallback. */
export const LANGUAGES: readonly [Language, ...Language[]] = [english];

/**
 * Returns the language with this tag, or the first of the build.
 *
 * @example const { texts } = languageOf(document.documentElement.lang);
 */
export function languageOf(tag: string | undefined): Language {
  return LANGUAGES.find((language) => language.tag === tag) ?? LANGUAGES[0];
}
