import type { Language } from '#domain/language.ts';
import { finderPageTexts } from '#domain/texts/finder/finder.ts';
import { messagePhotoTexts } from '#domain/texts/message-photo/message-photo.ts';

export type ExtrasTexts = ReturnType<typeof extrasTexts>;

/** The texts of the script. */
export function extrasTexts(language: Language) {
  const { finder, taps } = finderPageTexts(language);
  const { yours, busy } = messagePhotoTexts(language);
  return { yours, busy, sending: finder.sending, locationFailed: taps.locationFailed };
}
