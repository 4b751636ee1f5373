import type { MessageDetails } from '#domain/contact/message-details.ts';
import { writtenIn } from '#domain/texts/message-in-words.ts';
import { phraseInWords } from '#domain/texts/phrase-in-words.ts';
import type { PhrasesWords } from '#domain/words/compiled/types.ts';
import { phrasesWords } from '#words/phrases.ts';

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

/** What phrases say to the reader of the page. */
export interface SpokenPhrases {
  readonly words: PhrasesWords;
  /** Returns what a message says as a phrase, with times as the browser's clock shows them; null where it is none. */
  readonly say: (details: MessageDetails) => string | null;
  /** Returns in which language a text was typed; null where that is the reader's own, or not known. */
  readonly note: (message: { readonly body: string; readonly language?: string | null }) => string | null;
}

/** Returns what phrases say in the language of the page. */
export function speakPhrases(tag: string): SpokenPhrases {
  const phrases = phrasesWords({ tag });
  return {
    words: phrases,
    say: (details) => phraseInWords(details, { tag, phrases }, timeZone),
    note: (message) => writtenIn(message, { tag, phrases }),
  };
}
