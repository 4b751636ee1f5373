import { inLanguage } from '../in-language.ts';
import { debugPageEn } from './debug-page-en.ts';

/** The texts of `/test-redirect`, in a language. They are loaded with the screen. */
export const debugPage = inLanguage({ en: debugPageEn });
