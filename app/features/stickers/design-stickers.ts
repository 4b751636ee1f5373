import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import { type EncodeLink, encodeLink, type QrRows } from '#domain/stickers/sticker-code.ts';
import { type StickerContent, type StickerDrawing, stickerDrawing } from '#domain/stickers/sticker-drawing.ts';
import type { Proportions, StickerTexts } from '#domain/stickers/sticker-layout.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';

/** What a sticker is made for. */
export interface Chosen {
  /** Names it in what is reported. */
  readonly name: string;
  readonly qrId: string;
}

/** What all stickers have. */
export interface Design {
  readonly format: LabelFormat;
  readonly texts: StickerTexts;
  readonly hasTypedCode: boolean;
  readonly logo: Proportions | null;
}

/** A sticker for the first label. */
export interface DesignedSticker {
  /** Its code. */
  readonly id: string;
  readonly name: string;
  readonly content: StickerContent;
  /** Null where the label is too small for the code. */
  readonly drawing: StickerDrawing | null;
}

/**
 * Returns what draws stickers, and keeps what takes long and does not depend on their look: the QR code and the typed code
 * of each that it has drawn. A line is typed letter by letter, and each letter draws all stickers again.
 */
export function createDesigner(stickerUrl: string, encode: EncodeLink = encodeLink) {
  const codes = keep(encode);
  const typedCodes = keep(typedCodeOf);
  return (chosen: readonly Chosen[], { format, texts, hasTypedCode, logo }: Design): readonly DesignedSticker[] =>
    chosen.map(({ name, qrId }) => {
      const content: StickerContent = {
        link: stickerLink(stickerUrl, qrId),
        texts: { ...texts, ...(hasTypedCode && { typedCode: typedCodes(qrId) }) },
        ...(logo && { logo: { width: logo.width, height: logo.height } }),
      };
      return { id: qrId, name, content, drawing: stickerDrawing(format, 0, content, codes) };
    });
}

/** Returns the function so that it computes each result once. */
function keep<Result extends string | QrRows | null>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}
