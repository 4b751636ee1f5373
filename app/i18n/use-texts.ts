import { createContext, use } from 'react';
import { english, type Language, languageOf } from '#domain/language.ts';
import type { Texts } from '#domain/texts/screen-texts.ts';

/** The language of the document, provided by the root. */
export const LanguageContext = createContext<Language>(english);

/** Returns the language of the page, in a component. */
export function useLanguage(): Language {
  return use(LanguageContext);
}

/** Returns the texts in the language of the page, in a component. */
export function useTexts(): Texts {
  return useLanguage().texts;
}

/** Returns the language of the document outside of components, such as in a loader. Only in the browser. */
export function readLanguage(): Language {
  const { lang, dir } = document.documentElement;
  return languageOf({ tag: lang, direction: dir === 'rtl' ? 'rtl' : 'ltr' });
}
