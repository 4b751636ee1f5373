import { useState } from 'react';
import * as v from 'valibot';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { MOST_OFFSET } from '#domain/stickers/calibration-drawing.ts';
import { type LabelFormat, labelFormat } from '#domain/stickers/label-formats.ts';
import { plainPaper, singleSticker, usualPaper } from '#domain/stickers/plain-paper.ts';

const tenths = v.pipe(v.number(), v.integer(), v.minValue(-MOST_OFFSET), v.maxValue(MOST_OFFSET));

const schema = v.object({
  paper: v.picklist(['plain', 'labels', 'single']),
  page: v.picklist(['a4', 'letter']),
  size: v.picklist(['small', 'medium', 'large', 'extraLarge']),
  /** The id of the label format. */
  format: v.pipe(
    v.string(),
    v.check((id) => labelFormat(id) !== null),
  ),
  /** Of the printer, in tenths of a millimeter. */
  offset: v.object({ x: tenths, y: tenths }),
});

/** What an owner prints on, remembered by this browser. */
export type PaperSetup = v.InferOutput<typeof schema>;
export type Paper = PaperSetup['paper'];

/** What most stores sell. */
const USUAL_LABELS = { letter: 'avery-5160', a4: 'avery-7160' } as const;

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

/** Returns the geometry of what is printed on. */
export function formatOf({ paper, page, size, format }: PaperSetup): LabelFormat {
  if (paper === 'single') return singleSticker(size);
  return (paper === 'labels' && labelFormat(format)) || plainPaper(page, size);
}

function readSetup(): PaperSetup {
  const page = usualPaper(navigator.language);
  const usual: PaperSetup = {
    paper: 'plain',
    page,
    size: 'medium',
    format: USUAL_LABELS[page],
    offset: { x: 0, y: 0 },
  };
  try {
    const parsed = v.safeParse(schema, JSON.parse(localStorage.getItem(key()) ?? 'null'));
    return parsed.success ? parsed.output : usual;
  } catch {
    return usual;
  }
}
