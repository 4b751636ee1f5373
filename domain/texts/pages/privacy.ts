import { inLanguage } from '../in-language.ts';
import { privacyEn } from './privacy-en.ts';

/** The privacy policy of a product, in a language. */
export const privacy = inLanguage({ en: privacyEn });
