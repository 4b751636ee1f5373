import { useLanguage } from '#app/i18n/use-texts.ts';
import { photosWords } from '#words/photos.ts';

/** Returns the texts about photos in the language of the page. */
export function usePhotoTexts() {
  return photosWords(useLanguage());
}
