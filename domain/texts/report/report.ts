import { inLanguage } from '../in-language.ts';
import { reportEn } from './report-en.ts';

/** The texts of the page for reports. Browsers receive them in that document alone. */
export const reportTexts = inLanguage({ en: reportEn });
