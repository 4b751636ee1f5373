import { useLanguage } from '#app/i18n/use-texts.ts';
import { settings } from '#domain/texts/screens/settings.ts';

/** Returns the texts that only the settings need, in the language of the page, in a component. */
export function useSettingsTexts() {
  return settings(useLanguage());
}
