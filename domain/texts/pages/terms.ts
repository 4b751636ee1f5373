import { inLanguage } from '../in-language.ts';
import { termsEn } from './terms-en.ts';

/** The terms of use of a product, in a language. */
export const terms = inLanguage({ en: termsEn });
