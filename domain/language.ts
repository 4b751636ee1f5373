import { screenTexts, type Texts } from './texts/screen-texts.ts';

/** A language of owners' screens: what a document declares about itself, and the texts of its screens. */
export interface Language {
  /** BCP 47, such as `en`. Documents have it as `lang`; dates and lists are formatted with it. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: Texts;
}

/** By tag, so that a language is one object. */
const known = new Map<string, Language>();

/** Returns a language whose words are loaded (`domain/words/loaded-words.ts`). In a browser that is the document's alone. */
export function languageOf({ tag, direction }: Pick<Language, 'tag' | 'direction'>): Language {
  const language = known.get(tag) ?? withTexts(tag, direction);
  known.set(tag, language);
  return language;
}

/** Joins the texts when they are first read: a language is named before its words have to be loaded. */
function withTexts(tag: string, direction: Language['direction']): Language {
  let texts: Texts | undefined;
  return {
    tag,
    direction,
    get texts() {
      texts ??= screenTexts({ tag });
      return texts;
    },
  };
}

export const english = languageOf({ tag: 'en', direction: 'ltr' });
