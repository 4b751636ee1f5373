import { inLanguage } from '../in-language.ts';
import { callbackEn } from './callback-en.ts';

/** The texts of `/auth/callback`, in a language. They are loaded with the screen. */
export const callback = inLanguage({ en: callbackEn });
