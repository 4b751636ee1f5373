import { inLanguage } from '../../in-language.ts';
import { stickersEn } from './stickers-en.ts';

/** Returns the texts of the screen for printing stickers, which only that screen loads. */
export const stickerTexts = inLanguage({ en: stickersEn });
