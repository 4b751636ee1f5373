import { inLanguage } from '../in-language.ts';
import { landingEn } from './landing-en.ts';

/** The texts of the landing page, in a language. */
export const landing = inLanguage({ en: landingEn });
