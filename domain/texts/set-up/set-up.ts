import { inLanguage } from '../in-language.ts';
import { setUpEn } from './set-up-en.ts';

/** The texts of the page on which an operator sets up a new service. */
export const setUpTexts = inLanguage({ en: setUpEn });
