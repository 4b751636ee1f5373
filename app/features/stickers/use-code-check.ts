import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { openQrReader, type QrReader } from '#app/decode/qr-reader.ts';
import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import type { StickerContent, StickerDrawing } from '#domain/stickers/sticker-drawing.ts';
import { drawOnCanvas } from './draw-on-canvas.ts';
import type { DrawnLook } from './sticker-look.ts';

/** As coarse as a cheap printer, so that a code that passes is read from paper: about 200 dots per inch. */
const PIXELS_PER_MM = 8;

const LONG: ReadonlySet<string> = new Set(['path', 'source', 'picture']);

/** A sticker to check. */
export interface CheckedSticker {
  readonly id: string;
  readonly content: StickerContent;
  readonly drawing: StickerDrawing;
}

export type CodeCheck =
  | { readonly kind: 'checking' }
  /** `unreadable` has the ids of stickers whose code cannot be read. */
  | { readonly kind: 'checked'; readonly unreadable: ReadonlySet<string> }
  /** Decoding does not work at all. */
  | { readonly kind: 'failed' };

interface Paint {
  readonly format: LabelFormat;
  readonly look: DrawnLook;
}

/**
 * Draws each sticker as pixels and reads its code again, whenever the stickers or their look change. Returns the result,
 * and a function that tries again.
 */
export function useCodeCheck(stickers: readonly CheckedSticker[], paint: Paint): [CodeCheck, () => void] {
  const [attempt, setAttempt] = useState(1);
  // Without outlines, which follow from the texts, and pictures, which follow from the logo's id: both are long.
  const wanted = JSON.stringify([attempt, paint, stickers.map(({ id, content }) => [id, content])], (key, value) =>
    LONG.has(key) ? undefined : value,
  );
  const [result, setResult] = useState<{ readonly of: string; readonly check: CodeCheck } | null>(null);
  const openReader = useReader();

  const check = useEffectEvent(async (isWanted: () => boolean) =>
    readAgain(await openReader(), stickers, paint, isWanted),
  );

  useEffect(() => {
    let isWanted = true;
    check(() => isWanted).then(
      (unreadable) => isWanted && setResult({ of: wanted, check: { kind: 'checked', unreadable } }),
      () => isWanted && setResult({ of: wanted, check: { kind: 'failed' } }),
    );
    return () => {
      isWanted = false;
    };
  }, [wanted]);

  return [result?.of === wanted ? result.check : { kind: 'checking' }, () => setAttempt((last) => last + 1)];
}

/** Returns what opens one reader for the life of the screen. */
function useReader(): () => Promise<QrReader> {
  const opened = useRef<Promise<QrReader> | null>(null);
  useEffect(
    () => () => {
      opened.current?.then((reader) => reader.close()).catch(() => {});
      opened.current = null;
    },
    [],
  );
  return () => {
    opened.current ??= openQrReader();
    return opened.current;
  };
}

async function readAgain(
  reader: QrReader,
  stickers: readonly CheckedSticker[],
  paint: Paint,
  isWanted: () => boolean,
): Promise<ReadonlySet<string>> {
  const unreadable = new Set<string>();
  for (const { id, content, drawing } of stickers) {
    if (!isWanted()) break;
    const text = await reader.read(drawOnCanvas(drawing, { ...paint, pixelsPerMm: PIXELS_PER_MM }));
    if (text !== content.link) unreadable.add(id);
  }
  return unreadable;
}
