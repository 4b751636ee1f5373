import type { FinderViewLanguage } from '#domain/finder-language.ts';

export type ExtrasTexts = ReturnType<typeof extrasTexts>;

/** The texts of the script. */
export function extrasTexts(language: FinderViewLanguage) {
  const { finder, taps } = language.texts;
  const { yours, busy } = language.texts.messagePhoto;
  return { yours, busy, sending: finder.sending, locationFailed: taps.locationFailed };
}
