import { useLanguage } from '#app/i18n/use-texts.ts';
import { securityWords } from '#words/security.ts';

/** Returns the texts about sign-in and recovery, in the language of the page, in a component. */
export function useSecurityTexts() {
  return securityWords(useLanguage());
}
