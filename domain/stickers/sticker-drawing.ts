import type { LabelFormat } from './label-formats.ts';
import { BASELINE } from './line-text.ts';
import { textWidth } from './printable-text.ts';
import type { Box } from './sheet-layout.ts';
import { type EncodeLink, encodeLink, stickerCode } from './sticker-code.ts';
import {
  type Proportions,
  QUIET_MODULES,
  type StickerLine,
  type StickerTexts,
  stickerLayout,
} from './sticker-layout.ts';

/** A text to draw, with its start, its baseline, and its width. All in millimeters. */
interface DrawnText {
  readonly text: string;
  /** Its outlines, in thousandths of the type size from its start, where it is drawn by them (`LineOutline`). */
  readonly path?: string;
  readonly kind: StickerLine['kind'];
  readonly size: number;
  readonly x: number;
  readonly baseline: number;
  readonly width: number;
}

/** A sticker as it is drawn by everything that prints or shows one. All in millimeters, from the page's corner. */
export interface StickerDrawing {
  /** The dark modules of the QR code, joined along each row. Drawn as one shape, so that no light line shows between rows. */
  readonly dark: readonly Box[];
  /** Where the logo is drawn; null where there is none, or no room for it. */
  readonly logo: Box | null;
  readonly texts: readonly DrawnText[];
}

/** What a sticker says. */
export interface StickerContent {
  /** What its QR code leads to. */
  readonly link: string;
  readonly texts: StickerTexts;
  /** A picture of the owner's own. */
  readonly logo?: Proportions;
}

/** A logo as everything that draws one takes it. */
export interface LogoPicture extends Proportions {
  /** A PNG or a JPEG, as a `data:` address. */
  readonly source: string;
}

/** The width of every character of Courier. */
const COURIER_WIDTH = 0.6;

/**
 * Returns the sticker in the label with this number, or null where the label is too small for the link.
 *
 * @param encoded - Encodes the link. Encoding takes most of the time, so what draws a sticker again may keep its code.
 */
export function stickerDrawing(
  format: LabelFormat,
  cell: number,
  { link, texts, logo }: StickerContent,
  encoded: EncodeLink = encodeLink,
): StickerDrawing | null {
  const layout = stickerLayout(format, cell, texts, logo);
  const { code, lines } = layout;
  const image = stickerCode(link, code.width, encoded);
  // Below a code a logo makes it smaller. The code goes first.
  if (image === null) return layout.logo === null ? null : stickerDrawing(format, cell, { link, texts }, encoded);
  const { rows, module } = image;
  const left = code.x + QUIET_MODULES * module;
  const top = code.y + QUIET_MODULES * module;
  const dark = rows.flatMap((row, y) =>
    darkRuns(row).map(([start, end]) => ({
      x: left + start * module,
      y: top + y * module,
      width: (end - start) * module,
      height: module,
    })),
  );
  return { dark, logo: layout.logo, texts: lines.map(drawnText) };
}

/** Returns boxes as the path of an SVG. */
export function shapeOf(boxes: readonly Box[]): string {
  return boxes
    .map(({ x, y, width, height }) => `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`)
    .join('');
}

/** Rounds to a thousandth of a millimeter, which no printer resolves. */
export function short(millimeters: number): number {
  return Math.round(millimeters * 1_000) / 1_000;
}

/** Returns the start and the end of each run of dark modules. */
function darkRuns(row: readonly boolean[]): readonly (readonly [start: number, end: number])[] {
  const runs: [number, number][] = [];
  for (let start = row.indexOf(true); start >= 0; ) {
    const light = row.indexOf(false, start);
    const end = light < 0 ? row.length : light;
    runs.push([start, end]);
    start = row.indexOf(true, end);
  }
  return runs;
}

function drawnText({ text, outline, kind, size, x, y, width, height }: StickerLine): DrawnText {
  const ownWidth = size * (outline?.width ?? (kind === 'typed-code' ? text.length * COURIER_WIDTH : textWidth(text)));
  return {
    text,
    ...(outline !== undefined && { path: outline.path }),
    kind,
    size,
    x: x + (width - ownWidth) / 2,
    baseline: y + height / 2 + size * BASELINE,
    width: ownWidth,
  };
}
