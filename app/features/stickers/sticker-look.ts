import { useState } from 'react';
import { inkContrast, LEAST_INK_CONTRAST } from '#domain/stickers/ink-contrast.ts';
import { unprintableCharacters } from '#domain/stickers/printable-text.ts';
import type { StickerTexts } from '#domain/stickers/sticker-layout.ts';

/** Characters of a line of the owner's own. */
export const LONGEST_OWN_LINE = 40;

/** What a sticker shows beside its QR code, and its color. */
export interface StickerLook {
  readonly hasCall: boolean;
  readonly hasTypedCode: boolean;
  readonly hasProduct: boolean;
  /** A line of the owner's own. */
  readonly own: string;
  /** As `#rrggbb`. */
  readonly color: string;
}

const USUAL: StickerLook = { hasCall: true, hasTypedCode: true, hasProduct: false, own: '', color: '#000000' };

/** Returns the look of the stickers, and a function that changes parts of it. */
export function useStickerLook(): [StickerLook, (change: Partial<StickerLook>) => void] {
  const [look, setLook] = useState(USUAL);
  return [look, (change) => setLook({ ...look, ...change })];
}

/** Returns the texts on a sticker with this look. */
export function textsOf(
  { hasCall, hasTypedCode, hasProduct, own }: StickerLook,
  { call, typedCode, product }: { readonly call: string; readonly typedCode: string; readonly product: string },
): StickerTexts {
  const line = ownLine(own);
  return {
    ...(line !== '' && { own: line }),
    ...(hasCall && { call }),
    ...(hasTypedCode && { typedCode }),
    ...(hasProduct && { product }),
  };
}

/** Returns the characters of the owner's line that cannot be printed. */
export function unprintableOf({ own }: StickerLook): readonly string[] {
  return unprintableCharacters(ownLine(own));
}

/** Whether the color is too light for white paper. */
export function isTooLight({ color }: StickerLook): boolean {
  return inkContrast(color) < LEAST_INK_CONTRAST;
}

function ownLine(own: string): string {
  return own.normalize().trim();
}
