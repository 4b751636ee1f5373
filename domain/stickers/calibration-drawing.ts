import type { LabelFormat } from './label-formats.ts';
import { textWidth } from './printable-text.ts';
import { type Box, cellBox, cellsPerPage, pageSize } from './sheet-layout.ts';

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

/** A text that is centered at its point. */
interface Numeral {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** A page that shows how far a printer is off. All in millimeters. */
export interface CalibrationDrawing {
  readonly outlines: readonly Box[];
  readonly ticks: readonly Line[];
  /** What the ticks that have a number say. */
  readonly numerals: readonly Numeral[];
}

/** The type size of a numeral, in millimeters (6 points). Set in Helvetica Bold, as everything on a sheet. */
export const NUMERAL_SIZE = 2.2;
/** The height of a numeral, and how far below its middle it stands, in parts of the type size. */
const NUMERAL_HEIGHT = 0.72;
export const NUMERAL_BASELINE = NUMERAL_HEIGHT / 2;

/** How far scales reach to each side of an edge, with a tick for each half of a millimeter. */
const REACH = 5;
const TICKS_PER_MM = 2;
/** Printers do not print closer to the edge of a sheet. */
const UNPRINTABLE = 4;
/** A scale begins so far before the middle of a label's edge, where it has to begin there. */
const BEFORE_MIDDLE = 1.5;
const NUMERAL_GAP = 0.5;

/** The direction along which a scale measures. */
type Axis = 'x' | 'y';

/**
 * Returns the outlines of all labels, and scales in millimeters over edges of the first one, across and down. Laid over a
 * sheet of labels, the scales show where the label's edges really are: that is the offset which moves the print onto them,
 * so the page is to be printed without an offset.
 *
 * A scale is over an edge that is so far inside the page that all of it is printed. Where a label has none, such as on a
 * roll, whose page is the label, there is one at each edge: what one has not on the page, the other has.
 */
export function calibrationDrawing(format: LabelFormat): CalibrationDrawing {
  const outlines = Array.from({ length: cellsPerPage(format) }, (_, cell) => cellBox(format, cell));
  const scales = [scale(format, 'x'), scale(format, 'y')];
  return {
    outlines,
    ticks: scales.flatMap(({ ticks }) => ticks),
    numerals: scales.flatMap(({ numerals }) => numerals),
  };
}

function scale(format: LabelFormat, axis: Axis): Omit<CalibrationDrawing, 'outlines'> {
  const cell = cellBox(format, 0);
  const page = pageSize(format);
  const length = axis === 'x' ? page.width : page.height;
  const [start, size] = axis === 'x' ? [cell.x, cell.width] : [cell.y, cell.height];
  const [crossStart, crossSize] = axis === 'x' ? [cell.y, cell.height] : [cell.x, cell.width];
  const edges = [start, start + size];
  const inner = edges.findLast((edge) => edge >= REACH + UNPRINTABLE && edge <= length - REACH - UNPRINTABLE);
  // The edge of a round label passes at its middle alone. Scales at both edges leave the corners to those of the other axis.
  const isAtMiddle = format.shape === 'round' || inner === undefined;
  const base = crossStart + (isAtMiddle ? crossSize / 2 - BEFORE_MIDDLE : UNPRINTABLE);
  const point = (along: number, across: number) =>
    axis === 'x' ? ([along, across] as const) : ([across, along] as const);

  const ticks: Line[] = [];
  const numerals: Numeral[] = [];
  for (const edge of inner === undefined ? edges : [inner]) {
    for (let tick = -REACH * TICKS_PER_MM; tick <= REACH * TICKS_PER_MM; tick += 1) {
      const value = tick / TICKS_PER_MM;
      const at = edge + value;
      if (at < 0 || at > length) continue;
      const end = base + tickLength(value);
      ticks.push({ from: point(at, base), to: point(at, end) });
      // An outline runs through where 0 would stand.
      if (value === 0 || value % 2 !== 0) continue;
      const text = numeralOf(value);
      const [width, height] = [textWidth(text) * NUMERAL_SIZE, NUMERAL_HEIGHT * NUMERAL_SIZE];
      const [along, across] = axis === 'x' ? [width, height] : [height, width];
      if (at < along / 2 || at > length - along / 2) continue;
      const [x, y] = point(at, end + NUMERAL_GAP + across / 2);
      numerals.push({ text, x, y });
    }
  }
  return { ticks, numerals };
}

/** Numerals side by side are in two rows, because they are wider than their ticks are apart. */
function tickLength(value: number): number {
  if (value !== 0 && value % 4 === 0) return 3;
  if (value % 2 === 0) return 5.5;
  return Number.isInteger(value) ? 2 : 1.2;
}

/** With a dash that is as wide as a plus sign. */
function numeralOf(value: number): string {
  return value < 0 ? `–${-value}` : `+${value}`;
}
