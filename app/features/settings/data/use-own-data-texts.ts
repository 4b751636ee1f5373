import { useLanguage } from '#app/i18n/use-texts.ts';
import { settingsWords } from '#words/settings.ts';

/** Returns the texts about the account's data, in the language of the page, in a component. */
export function useOwnDataTexts() {
  return settingsWords(useLanguage()).ownData;
}
