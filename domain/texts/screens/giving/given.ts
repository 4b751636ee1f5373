import { inLanguage } from '../../in-language.ts';
import { givenEn } from './given-en.ts';

/** The texts of `/given`, in a language. They are loaded with the screen. */
export const givenTexts = inLanguage({ en: givenEn });
