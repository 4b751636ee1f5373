import { inLanguage } from '../../in-language.ts';
import { codeCheckEn } from './code-check-en.ts';

/** Returns the texts about the check of one code, which only the dialog of an item's sticker loads. */
export const codeCheckTexts = inLanguage({ en: codeCheckEn });
