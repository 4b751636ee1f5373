import { inLanguage } from '../in-language.ts';
import { secondContactEn } from './second-contact-en.ts';

/** The texts of the pages of second contacts. Browsers receive them in those documents alone. */
export const secondContactTexts = inLanguage({ en: secondContactEn });
