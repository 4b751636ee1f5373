import type { MessageDetails } from '../contact/message-details.ts';
import type { PhrasesWords, TapsWords } from '../words/compiled/types.ts';
import { describeDetails } from './describe-details.ts';
import { phraseInWords } from './phrase-in-words.ts';

/** What a message's details need of their reader's language. */
export interface SpokenLanguage {
  /** BCP 47. */
  readonly tag: string;
  readonly texts: TapsWords & { readonly phrases: PhrasesWords };
}

type Said = MessageDetails & { readonly body: string };

/**
 * Returns the lines that say a message's details in the reader's language, with its phrase.
 *
 * @param timeZone - The reader's (IANA), where it is known.
 */
export function detailsInWords(message: Said, { tag, texts }: SpokenLanguage, timeZone?: string): readonly string[] {
  return describeDetails(message, texts, phraseInWords(message, { tag, phrases: texts.phrases }, timeZone));
}

/** Returns all that a message says, for a notice, which shows no photo. */
export function messageInWords(message: Said, language: SpokenLanguage, timeZone?: string): string {
  const { kind, body } = message;
  const photo = kind === 'photo' && body !== '' && language.texts.taps.withPhoto;
  return [...detailsInWords(message, language, timeZone), body, photo].filter(Boolean).join('\n');
}

/**
 * Returns the line that says in which language a text was typed, in the reader's language; null where that is the reader's
 * own, or not known, or there is no text.
 */
export function writtenIn(
  { body, language }: { readonly body: string; readonly language?: string | null | undefined },
  { tag, phrases }: { readonly tag: string; readonly phrases: PhrasesWords },
): string | null {
  if (body === '' || language === null || language === undefined || language === tag) return null;
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(language);
  return phrases.writtenIn(name ?? language);
}
