import { inLanguage } from '../in-language.ts';
import { spreadsheetEn } from './spreadsheet-en.ts';

export type SpreadsheetTexts = typeof spreadsheetEn;

/** The texts of the spreadsheet screen, in a language. They are loaded with the screen. */
export const spreadsheet = inLanguage({ en: spreadsheetEn });
