import type { LabelFormat } from './label-formats.ts';
import { type Box, cellBox, cellsPerPage } from './sheet-layout.ts';

/** How a printer's position is corrected, in tenths of a millimeter: to the right, and down. */
export interface PrinterOffset {
  readonly x: number;
  readonly y: number;
}

/** The largest correction, in tenths of a millimeter: more is a wrong setting of the printer. */
export const MOST_OFFSET = 100;

/** A straight line from one point to another, in millimeters. */
interface Line {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

/** A page that shows how far a printer is off. All in millimeters. */
export interface CalibrationDrawing {
  readonly outlines: readonly Box[];
  readonly ticks: readonly Line[];
  /** The signs at the ends of the scales, each centered at its point. */
  readonly signs: readonly { readonly text: '+' | '–'; readonly x: number; readonly y: number }[];
}

/** How far the scales reach, where they are along the label's edges, and their ticks' lengths. In millimeters. */
const SCALE = { reach: 3, place: 8, zero: 6, whole: 3, half: 1.5, sign: 1.5 } as const;
/** The scales have a tick for each half of a millimeter. */
const TICKS_PER_MM = 2;

/**
 * Returns the outlines of all labels, and scales in millimeters over the left and the upper edge of the first one. Laid
 * over a sheet of labels, the scales show where the label's edges really are: that is the offset which moves the print
 * onto them.
 */
export function calibrationDrawing(format: LabelFormat): CalibrationDrawing {
  const outlines = Array.from({ length: cellsPerPage(format) }, (_, cell) => cellBox(format, cell));
  const { x, y } = cellBox(format, 0);
  const { reach, place, sign } = SCALE;
  const ticks = Array.from({ length: 2 * reach * TICKS_PER_MM + 1 }, (_, tick) => {
    const at = tick / TICKS_PER_MM - reach;
    const end = place + (at === 0 ? SCALE.zero : Number.isInteger(at) ? SCALE.whole : SCALE.half);
    return [
      { from: [x + at, y + place], to: [x + at, y + end] },
      { from: [x + place, y + at], to: [x + end, y + at] },
    ] satisfies Line[];
  }).flat();
  const signs = ([-1, 1] as const).flatMap((side) => {
    const text = side < 0 ? ('–' as const) : ('+' as const);
    const at = side * (reach + sign);
    return [
      { text, x: x + at, y: y + place + sign },
      { text, x: x + place + sign, y: y + at },
    ];
  });
  return { outlines, ticks, signs };
}
