import { useLanguage } from '#app/i18n/use-texts.ts';
import { photoTexts } from '#domain/texts/screens/photos.ts';

/** Returns the texts about photos in the language of the page. */
export function usePhotoTexts() {
  return photoTexts(useLanguage());
}
