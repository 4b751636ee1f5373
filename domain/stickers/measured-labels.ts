import type { LabelFormat } from './label-formats.ts';
import { cellBox, cellsPerPage, pageSize } from './sheet-layout.ts';

/** A sheet or a roll of labels as a person measures it with a ruler, in millimeters. */
export interface MeasuredLabels {
  /** The paper; `label` for a roll. */
  readonly page: LabelFormat['page'];
  readonly shape: LabelFormat['shape'];
  /** Of a round label, its diameter. */
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

export type Measure = keyof typeof MEASURE_BOUNDS;

/** Returns the measures that count: all of a sheet, the label's own of a roll, and no height of a round label. */
export function measuresOf({ page, shape }: Pick<MeasuredLabels, 'page' | 'shape'>): readonly Measure[] {
  // The keys are exactly the measures.
  const measures = Object.keys(MEASURE_BOUNDS) as Measure[];
  return measures
    .filter((measure) => page !== 'label' || measure === 'width' || measure === 'height')
    .filter((measure) => shape !== 'round' || measure !== 'height');
}

/** Returns the labels as they are saved: what does not count has one value. */
export function countedMeasures(labels: MeasuredLabels): MeasuredLabels {
  const height = labels.shape === 'round' ? labels.width : labels.height;
  const place = labels.page === 'label' ? { columns: 1, rows: 1, left: 0, top: 0, gapX: 0, gapY: 0 } : {};
  return { ...labels, height, ...place };
}

/** Returns whether both have the same geometry. */
export function haveSameMeasures(one: MeasuredLabels, other: MeasuredLabels): boolean {
  const [counted, others] = [countedMeasures(one), countedMeasures(other)];
  return (['page', 'shape', ...measuresOf(one)] as const).every((measure) => counted[measure] === others[measure]);
}

/** What a person measures is exact to half a millimeter at best. */
const SLACK = 0.5;

/** Returns the geometry of measured labels. */
export function measuredFormat(measured: MeasuredLabels): LabelFormat {
  const { gapX, gapY, ...labels } = countedMeasures(measured);
  const pitch = { pitchX: labels.width + gapX, pitchY: labels.height + gapY };
  return { id: 'measured', brand: '', parts: [], ...labels, ...pitch };
}

/** Returns whether the labels do not fit the width or the height of their paper, or null where they fit both. */
export function overflowOf(labels: MeasuredLabels): 'width' | 'height' | null {
  const format = measuredFormat(labels);
  const last = cellBox(format, cellsPerPage(format) - 1);
  const page = pageSize(format);
  if (last.x + last.width > page.width + SLACK) return 'width';
  return last.y + last.height > page.height + SLACK ? 'height' : null;
}
