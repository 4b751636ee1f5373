import { inLanguage } from '../../in-language.ts';
import { offerEn } from './offer-en.ts';

/** The texts of `/offer/{id}`, in a language. They are loaded with the screen. */
export const offerTexts = inLanguage({ en: offerEn });
