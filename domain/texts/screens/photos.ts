import { inLanguage } from '../in-language.ts';
import { photosEn } from './photos-en.ts';

/** The texts about photos of items and of people, in a language. They are loaded with the screens that show or take one. */
export const photoTexts = inLanguage({ en: photosEn });
