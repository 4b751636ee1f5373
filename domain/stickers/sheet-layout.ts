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
