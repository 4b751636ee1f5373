import { type SignInTexts, signInTexts } from '#domain/texts/sign-in-texts.ts';
import { useLanguage } from './use-texts.ts';

/** Returns the texts in the language of the page, with those for credentials and codes, in a component. */
export function useSignInTexts(): SignInTexts {
  return signInTexts(useLanguage());
}
