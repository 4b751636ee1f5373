import { type LabelFormat, PAGE_SIZES } from './label-formats.ts';

/** Sizes of stickers that are cut out, in millimeters. */
export const STICKER_SIZES = {
  small: { width: 25, height: 36 },
  medium: { width: 35, height: 48 },
  large: { width: 50, height: 65 },
  extraLarge: { width: 80, height: 100 },
} as const;

export type StickerSize = keyof typeof STICKER_SIZES;
/** Plain paper that office printers take. */
export type PaperSize = keyof typeof PAGE_SIZES;

/** Printers do not print at the edge of the paper. In millimeters. */
const EDGE = 10;

/** Countries whose printers hold US Letter paper; all others use A4. From CLDR's territory data. */
const LETTER_REGIONS = 'BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' ');

/** Returns plain paper with as many stickers of a size as it has room for, side by side, in the middle of the page. */
export function plainPaper(page: PaperSize, size: StickerSize): LabelFormat {
  const { width, height } = STICKER_SIZES[size];
  const sheet = PAGE_SIZES[page];
  const columns = Math.floor((sheet.width - 2 * EDGE) / width);
  const rows = Math.floor((sheet.height - 2 * EDGE) / height);
  return {
    ...singleSticker(size),
    id: `plain-${page}-${size}`,
    page,
    columns,
    rows,
    left: (sheet.width - columns * width) / 2,
    top: (sheet.height - rows * height) / 2,
  };
}

/** Returns a page that is one sticker. */
export function singleSticker(size: StickerSize): LabelFormat {
  const { width, height } = STICKER_SIZES[size];
  const place = { columns: 1, rows: 1, left: 0, top: 0, pitchX: width, pitchY: height };
  return { id: `single-${size}`, brand: '', parts: [], page: 'label', shape: 'rectangle', width, height, ...place };
}

/**
 * Returns the paper size that is usual where a language is spoken.
 *
 * @example usualPaper('en-US'); // 'letter'
 */
export function usualPaper(languageTag: string): PaperSize {
  return LETTER_REGIONS.includes(new Intl.Locale(languageTag).maximize().region ?? '') ? 'letter' : 'a4';
}
