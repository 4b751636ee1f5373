import { useLanguage } from '#app/i18n/use-texts.ts';
import { stickerTexts } from '#domain/texts/stickers/sticker-texts.ts';

/** Returns the texts of this screen in the language of the page. */
export function useStickerTexts() {
  return stickerTexts(useLanguage());
}
