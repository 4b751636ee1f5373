import { en } from '../en.ts';
import { inLanguage } from '../in-language.ts';
import { signInEn } from './sign-in-en.ts';

/**
 * The texts of every screen, and those of whatever asks for credentials or codes. The latter are loaded with it, so the
 * dashboard does without.
 */
export const signInTexts = inLanguage({ en: { ...en, ...signInEn } });

export type SignInTexts = ReturnType<typeof signInTexts>;
