import { en } from '../en.ts';
import { inLanguage } from '../in-language.ts';
import { finderEn } from './finder-en.ts';

/** The texts of the finder's page, beside those of all screens. Owners receive them with that page alone. */
export const finderPageTexts = inLanguage({ en: { ...en, ...finderEn } });

export type FinderTexts = ReturnType<typeof finderPageTexts>;
