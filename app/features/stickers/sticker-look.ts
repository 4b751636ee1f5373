import { inkContrast, LEAST_INK_CONTRAST } from '#domain/stickers/ink-contrast.ts';
import { trimBlanks } from '#domain/white-space.ts';
import type { Logo } from './logo/read-logo.ts';
import type { WantedTexts } from './typesetting/use-set-texts.ts';

/** What a sticker shows beside its QR code, and its color. */
export interface StickerLook {
  readonly hasCall: boolean;
  /** The tag of the language in which the sticker calls its finder; null for that of the page. */
  readonly callLanguage: string | null;
  readonly hasTypedCode: boolean;
  readonly hasProduct: boolean;
  /** A line of the owner's own. */
  readonly own: string;
  /** A picture of the owner's own. */
  readonly logo: Logo | null;
  /** As `#rrggbb`. */
  readonly color: string;
}

/** How a sticker's drawing looks. */
export type DrawnLook = Pick<StickerLook, 'color' | 'logo'>;

/** To begin with. */
export const USUAL_LOOK: StickerLook = {
  hasCall: true,
  callLanguage: null,
  hasTypedCode: true,
  hasProduct: false,
  own: '',
  logo: null,
  color: '#000000',
};

/** Returns the texts on every sticker with this look, normalized to NFC. */
export function textsOf(
  { hasCall, hasProduct, own }: StickerLook,
  { call, product }: { readonly call: string; readonly product: string },
): WantedTexts {
  const line = trimBlanks(own.normalize());
  return {
    ...(line !== '' && { own: line }),
    ...(hasCall && { call: call.normalize() }),
    ...(hasProduct && { product: product.normalize() }),
  };
}

/** Whether the color is too light for white paper. */
export function isTooLight({ color }: StickerLook): boolean {
  return inkContrast(color) < LEAST_INK_CONTRAST;
}
