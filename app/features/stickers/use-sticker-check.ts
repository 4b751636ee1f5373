import { CHECKED_PIXELS_PER_MM, type CodeCheck, useCodeCheck } from '#app/decode/use-code-check.ts';
import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import type { StickerContent, StickerDrawing } from '#domain/stickers/sticker-drawing.ts';
import { drawOnCanvas } from './draw-on-canvas.ts';
import type { DrawnLook } from './sticker-look.ts';

const LONG: ReadonlySet<string> = new Set(['path', 'source', 'picture']);

/** A sticker to check. */
export interface CheckedSticker {
  readonly id: string;
  readonly content: StickerContent;
  readonly drawing: StickerDrawing;
}

interface Paint {
  readonly format: LabelFormat;
  readonly look: DrawnLook;
}

/** Reads the code of each sticker again, whenever the stickers or their look change. */
export function useStickerCheck(stickers: readonly CheckedSticker[], paint: Paint): [CodeCheck, () => void] {
  // Without outlines, which follow from the texts, and pictures, which follow from the logo's id: both are long.
  const drawn = JSON.stringify([paint, stickers.map(({ id, content }) => [id, content])], (key, value) =>
    LONG.has(key) ? undefined : value,
  );
  const codes = stickers.map(({ id, content, drawing }) => ({
    id,
    link: content.link,
    draw: () => drawOnCanvas(drawing, { ...paint, pixelsPerMm: CHECKED_PIXELS_PER_MM }),
  }));
  return useCodeCheck(codes, drawn);
}
