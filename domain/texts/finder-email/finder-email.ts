import { inLanguage } from '../in-language.ts';
import { finderEmailEn } from './finder-email-en.ts';

/** The texts of the pages about emails to finders. Browsers receive them in those documents alone. */
export const finderEmailTexts = inLanguage({ en: finderEmailEn });
