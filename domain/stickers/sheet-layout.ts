import { type LabelFormat, PAGE_SIZES } from './label-formats.ts';

/** A rectangle in millimeters, from the upper left corner of the page. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the size of a page of the format, in millimeters. */
export function pageSize({ page, width, height }: LabelFormat): { readonly width: number; readonly height: number } {
  return page === 'label' ? { width, height } : PAGE_SIZES[page];
}

/** How many labels a page has. */
export function cellsPerPage({ columns, rows }: LabelFormat): number {
  return columns * rows;
}

/** Returns the label with this number, from 0, counted along the rows. */
export function cellBox(format: LabelFormat, index: number): Box {
  const { columns, left, top, pitchX, pitchY, width, height } = format;
  return { x: left + (index % columns) * pitchX, y: top + Math.floor(index / columns) * pitchY, width, height };
}

/** Lines to cut along: a color, a width, and the lengths of dashes and gaps in millimeters. */
export const CUT_LINE = { color: '#8c8c8c', width: 0.2, dash: 1.2 } as const;

/** A sticker's place: its number among all stickers, and its label, both from 0. */
export interface Placement {
  readonly sticker: number;
  readonly cell: number;
}

/** Returns the stickers of each page. The first page begins at the label `firstCell`, and the others at their first. */
export function fillPages(format: LabelFormat, count: number, firstCell: number): readonly (readonly Placement[])[] {
  const perPage = cellsPerPage(format);
  const pages = Array.from({ length: Math.ceil((firstCell + count) / perPage) }, (): Placement[] => []);
  for (let sticker = 0; sticker < count; sticker += 1) {
    const place = firstCell + sticker;
    pages[Math.floor(place / perPage)]?.push({ sticker, cell: place % perPage });
  }
  return pages;
}
