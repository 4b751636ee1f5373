import { useState } from 'react';
import * as v from 'valibot';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { MOST_OFFSET } from '#domain/stickers/calibration-drawing.ts';
import { type LabelFormat, labelFormat } from '#domain/stickers/label-formats.ts';
import { haveSameMeasures, type MeasuredLabels, measuredFormat } from '#domain/stickers/measured-labels.ts';
import { type PaperSize, plainPaper, singleSticker, usualPaper } from '#domain/stickers/plain-paper.ts';

const tenths = v.pipe(v.number(), v.integer(), v.minValue(-MOST_OFFSET), v.maxValue(MOST_OFFSET));

const schema = v.object({
  paper: v.picklist(['plain', 'labels', 'measured', 'single']),
  page: v.picklist(['a4', 'letter']),
  size: v.picklist(['small', 'medium', 'large', 'extraLarge']),
  /** The id of the label format. */
  format: v.pipe(
    v.string(),
    v.check((id) => labelFormat(id) !== null),
  ),
  measured: v.object({
    page: v.picklist(['a4', 'letter', 'label']),
    // What was remembered before there were round ones has none.
    shape: v.optional(v.picklist(['rectangle', 'round']), 'rectangle'),
    ...v.entriesFromList(['width', 'height', 'columns', 'rows', 'left', 'top', 'gapX', 'gapY'], v.number()),
  }),
  /** Of the printer, in tenths of a millimeter. */
  offset: v.object({ x: tenths, y: tenths }),
});

/** What an owner prints on, remembered by this browser. */
export type PaperSetup = v.InferOutput<typeof schema>;
export type Paper = PaperSetup['paper'];

/** What most stores sell. */
const USUAL_LABELS = { letter: 'avery-5160', a4: 'avery-7160' } as const;

/** To begin with: those of the usual labels. */
const USUAL_MEASURES: Readonly<Record<PaperSize, MeasuredLabels>> = {
  letter: {
    ...{ page: 'letter', shape: 'rectangle', width: 66.7, height: 25.4, columns: 3, rows: 10 },
    ...{ left: 4, top: 12.7, gapX: 4, gapY: 0 },
  },
  a4: {
    ...{ page: 'a4', shape: 'rectangle', width: 63.5, height: 38.1, columns: 3, rows: 7 },
    ...{ left: 7.2, top: 15.1, gapX: 2.5, gapY: 0 },
  },
};

const key = () => `${readPublicConfig().storagePrefix}_sticker_paper`;

/** Returns what the owner prints on, and a function that changes parts of it. */
export function usePaperSetup(): [PaperSetup, (change: Partial<PaperSetup>) => void] {
  const [setup, setSetup] = useState(readSetup);
  const change = (changed: Partial<PaperSetup>) => {
    const next = { ...setup, ...changed };
    setSetup(next);
    try {
      localStorage.setItem(key(), JSON.stringify(next));
    } catch {
      // Only this visit remembers it.
    }
  };
  return [setup, change];
}

/** Whether it has ready-cut labels, some of which may be gone. */
export function isOnLabels(paper: Paper): boolean {
  return paper === 'labels' || paper === 'measured';
}

/** Returns the geometry of what is printed on. */
export function formatOf({ paper, page, size, format, measured }: PaperSetup): LabelFormat {
  if (paper === 'single') return singleSticker(size);
  if (paper === 'measured') return measuredFormat(measured);
  return (paper === 'labels' && labelFormat(format)) || plainPaper(page, size);
}

/** Whether the measures are the owner's own, and not those that the screen begins with. */
export function isMeasured(measured: PaperSetup['measured']): boolean {
  return !Object.values(USUAL_MEASURES).some((usual) => haveSameMeasures(measured, usual));
}

/** Returns what this browser remembers, or what is usual. */
export function readSetup(): PaperSetup {
  const page = usualPaper(navigator.language);
  const usual: PaperSetup = {
    paper: 'plain',
    page,
    size: 'medium',
    format: USUAL_LABELS[page],
    measured: USUAL_MEASURES[page],
    offset: { x: 0, y: 0 },
  };
  try {
    const parsed = v.safeParse(schema, JSON.parse(localStorage.getItem(key()) ?? 'null'));
    return parsed.success ? parsed.output : usual;
  } catch {
    return usual;
  }
}
