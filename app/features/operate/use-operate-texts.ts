import { useLanguage } from '#app/i18n/use-texts.ts';
import type { OperateWords } from '#domain/words/compiled/types.ts';
import { operateWords } from '#words/operate.ts';

/** Returns the texts of the console in the language of the page. */
export function useOperateTexts(): OperateWords {
  return operateWords(useLanguage());
}
