import { inLanguage } from '../in-language.ts';
import { notMineEn } from './not-mine-en.ts';

/** The texts of `/not-mine`, in a language. They are loaded with the screen. */
export const notMine = inLanguage({ en: notMineEn });
