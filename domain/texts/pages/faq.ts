import { inLanguage } from '../in-language.ts';
import { faqEn } from './faq-en.ts';

/** The frequent questions of a product, in a language. */
export const faq = inLanguage({ en: faqEn });
