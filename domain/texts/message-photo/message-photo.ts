import { inLanguage } from '../in-language.ts';
import { messagePhotoEn } from './message-photo-en.ts';

/** The texts about photos of finders. Only the screens that show or take them receive them. */
export const messagePhotoTexts = inLanguage({ en: messagePhotoEn });
