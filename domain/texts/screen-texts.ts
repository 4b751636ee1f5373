import { appWords } from '#words/app.ts';
import { emailTroubleWords } from '#words/email-trouble.ts';
import { itemsWords } from '#words/items.ts';
import { scannerWords } from '#words/scanner.ts';
import { sharedWords } from '#words/shared.ts';
import { tapsWords } from '#words/taps.ts';

/** Joins the words that every screen of owners has, where some of them are a finder's as well. */
export function screenTexts(language: { readonly tag: string }) {
  const shared = sharedWords(language);
  const app = appWords(language);
  const items = itemsWords(language);
  return {
    ...tapsWords(language),
    ...emailTroubleWords(language),
    ...scannerWords(language),
    ...app,
    ...items,
    common: { ...shared.common, ...app.common },
    footer: { ...shared.footer, ...app.footer },
    toasts: { ...shared.toasts, ...app.toasts },
    item: { ...shared.item, ...items.item },
    ownerRetrieval: { ...shared.ownerRetrieval, ...items.ownerRetrieval },
    sticker: { ...shared.sticker, ...items.sticker },
    notFound: shared.notFound,
    language: shared.language,
    itemTypes: shared.itemTypes,
  };
}

/** The texts that every screen of owners has. */
export type Texts = ReturnType<typeof screenTexts>;
