import type { LabelFormat } from './label-formats.ts';
import type { PaperSize } from './plain-paper.ts';
import { cellBox, cellsPerPage, pageSize } from './sheet-layout.ts';

/** A sheet of labels as a person measures it with a ruler, in millimeters. */
export interface MeasuredLabels {
  readonly page: PaperSize;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /** From the edges of the paper to the first label. */
  readonly left: number;
  readonly top: number;
  /** Between two labels, beside and below each other. */
  readonly gapX: number;
  readonly gapY: number;
}

/** Bounds of each measure. The database enforces those of labels that are saved (`measured_labels`). */
export const MEASURE_BOUNDS = {
  width: { least: 15, most: 297, step: 0.1 },
  height: { least: 15, most: 297, step: 0.1 },
  columns: { least: 1, most: 14, step: 1 },
  rows: { least: 1, most: 19, step: 1 },
  left: { least: 0, most: 100, step: 0.1 },
  top: { least: 0, most: 100, step: 0.1 },
  gapX: { least: 0, most: 50, step: 0.1 },
  gapY: { least: 0, most: 50, step: 0.1 },
} as const;

/** Returns whether both have the same geometry. */
export function haveSameMeasures(one: MeasuredLabels, other: MeasuredLabels): boolean {
  const measures = ['page', 'width', 'height', 'columns', 'rows', 'left', 'top', 'gapX', 'gapY'] as const;
  return measures.every((measure) => one[measure] === other[measure]);
}

/** What a person measures is exact to half a millimeter at best. */
const SLACK = 0.5;

/** Returns the geometry of measured labels. */
export function measuredFormat({ gapX, gapY, ...labels }: MeasuredLabels): LabelFormat {
  const pitch = { pitchX: labels.width + gapX, pitchY: labels.height + gapY };
  return { id: 'measured', brand: '', parts: [], shape: 'rectangle', ...labels, ...pitch };
}

/** Returns whether the labels do not fit the width or the height of their paper, or null where they fit both. */
export function overflowOf(labels: MeasuredLabels): 'width' | 'height' | null {
  const format = measuredFormat(labels);
  const last = cellBox(format, cellsPerPage(format) - 1);
  const page = pageSize(format);
  if (last.x + last.width > page.width + SLACK) return 'width';
  return last.y + last.height > page.height + SLACK ? 'height' : null;
}
