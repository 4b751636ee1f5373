import { inLanguage } from '../in-language.ts';
import { notMeEn } from './not-me-en.ts';

/** The texts of the page that undoes changes of an account. Browsers receive them in that document alone. */
export const notMeTexts = inLanguage({ en: notMeEn });
