import { type SpokenPhrases, speakPhrases } from './speak-phrases.ts';
import { useLanguage } from './use-texts.ts';

/** Returns what phrases say in the language of the page. */
export function usePhrases(): SpokenPhrases {
  return speakPhrases(useLanguage().tag);
}
