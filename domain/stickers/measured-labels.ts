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
