import type { FinderLanguage } from '#domain/finder-language.ts';
import type { Language } from '#domain/language.ts';
import {
  type LetterTexts,
  letterTexts,
  type VisitorLetterTexts,
  visitorLetterTexts,
} from '#domain/texts/letters/letters.ts';
import type { Config } from '#server/config.ts';
import { loadLanguage } from './load-language.ts';
import { ownerLanguageOf } from './owner-language.ts';

/** What is written to an owner, in the language that their account has, or in the nearest one of owners. */
export interface OwnerLetters {
  readonly language: Language;
  readonly texts: LetterTexts;
}

/** Returns the letters of an owner whose account has the language `stored`; of the installation's where it has none. */
export async function ownerLetters(
  config: Pick<Config, 'defaultLanguage'>,
  stored: string | null,
): Promise<OwnerLetters> {
  const language = await ownerLanguageOf(stored, config);
  return { language, texts: letterTexts(language) };
}

/** What is written to a second contact, or to whom an item is offered. */
export interface VisitorLetters {
  readonly language: FinderLanguage;
  readonly texts: VisitorLetterTexts;
}

/** Returns the letters of a person without an account, in the language `stored`, else in the installation's. */
export async function visitorLetters(
  config: Pick<Config, 'defaultLanguage'>,
  stored: string | null,
): Promise<VisitorLetters> {
  const language = await loadLanguage(stored ?? config.defaultLanguage.tag);
  return { language, texts: visitorLetterTexts(language.words) };
}
