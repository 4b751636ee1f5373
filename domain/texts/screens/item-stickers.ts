import { inLanguage } from '../in-language.ts';
import { itemStickersEn } from './item-stickers-en.ts';

/** The texts about the stickers of an item, in a language. They are loaded with the screens. */
export const itemStickers = inLanguage({ en: itemStickersEn });
