import type { Language } from '#domain/language.ts';
import { messagePhotoTexts } from '#domain/texts/message-photo/message-photo.ts';

export type ExtrasTexts = ReturnType<typeof extrasTexts>;

/** The texts of the script. */
export function extrasTexts(language: Language) {
  const { finder, taps } = language.texts;
  const { yours, busy } = messagePhotoTexts(language);
  return { yours, busy, sending: finder.sending, locationFailed: taps.locationFailed };
}
