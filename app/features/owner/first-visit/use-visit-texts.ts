import { useLanguage } from '#app/i18n/use-texts.ts';
import { firstVisitWords } from '#words/first-visit.ts';

/** Returns the texts of the first visit in the language of the page. */
export function useVisitTexts() {
  return firstVisitWords(useLanguage());
}
