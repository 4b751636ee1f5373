import type { LabelFormat } from './label-formats.ts';
import { LINE_HEIGHT, type LineOutline, type LineText } from './line-text.ts';
import { textWidth } from './printable-text.ts';
import { type Box, cellBox } from './sheet-layout.ts';

/** Kept free at the edge of a label, where printers and cutters are imprecise. In millimeters. */
const MARGIN = 1.5;
const GAP = 1.5;
/** Light modules around a QR code, required by readers (ISO/IEC 18004). */
export const QUIET_MODULES = 4;
/** The smallest type that is set, and the largest, in millimeters (6 and 12 points). */
const SMALLEST_TYPE = 2.1;
const LARGEST_TYPE = 4.2;
/** The width of a character of a typed code in parts of the type size, rounded up: it is set in Courier Bold. */
const CODE_WIDTH = 0.61;
/** A label at least this much wider than high has its texts beside the code. */
const WIDE = 1.45;

/** What a line says: the owner's own words, the call to the finder, the typed code, or the product's name. */
type LineKind = 'own' | 'call' | 'typed-code' | 'product';

/** A line of text: its box, in which it is centered, and its type size. All in millimeters. */
export interface StickerLine extends Box {
  /** What the line says. Outlines of a half have the whole text. */
  readonly text: string;
  /** Where it is drawn by its outlines. */
  readonly outline?: LineOutline;
  readonly kind: LineKind;
  readonly size: number;
}

/** A sticker in its label. */
export interface StickerLayout {
  /** The square of the QR code with its quiet zone. */
  readonly code: Box;
  readonly lines: readonly StickerLine[];
}

/** What is printed beside the QR code. An absent text is not printed. */
export interface StickerTexts {
  /** A line of the owner's own. */
  readonly own?: LineText;
  /** The call to the finder. */
  readonly call?: LineText;
  readonly typedCode?: string;
  /** The product's name. */
  readonly product?: LineText;
}

/** The lines from the top to the bottom. */
const KINDS: readonly LineKind[] = ['own', 'call', 'typed-code', 'product'];
/** Which line is left out first where a label has no room for all. */
const LEFT_OUT_FIRST: readonly LineKind[] = ['product', 'call', 'own', 'typed-code'];

/**
 * Places a sticker in the label with this number: the QR code as large as the label permits, and the texts beside or
 * below it. A text without room is left out: the product's name first, then the call, the owner's line, and the typed
 * code.
 */
export function stickerLayout(format: LabelFormat, index: number, texts: StickerTexts): StickerLayout {
  const room = usableBox(format, cellBox(format, index));
  return room.width >= WIDE * room.height ? besideCode(room, texts) : belowCode(room, texts);
}

/** Of a round label the largest square within it. */
function usableBox({ shape }: LabelFormat, { x, y, width, height }: Box): Box {
  if (shape === 'rectangle') {
    return { x: x + MARGIN, y: y + MARGIN, width: width - 2 * MARGIN, height: height - 2 * MARGIN };
  }
  const side = (Math.min(width, height) - 2 * MARGIN) * Math.SQRT1_2;
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side };
}

function besideCode(room: Box, texts: StickerTexts): StickerLayout {
  const side = room.height;
  const beside = { ...room, x: room.x + side + GAP, width: room.width - side - GAP };
  return {
    code: { ...room, width: side },
    lines: stack(linesOf(texts, beside.width, beside.height), beside),
  };
}

function belowCode(room: Box, texts: StickerTexts): StickerLayout {
  // The texts may take a quarter of the height, and what a narrow label has left.
  const lines = linesOf(texts, room.width, Math.max(room.height / 4, room.height - room.width));
  const textHeight = heightOf(lines);
  const side = Math.min(room.width, room.height - textHeight);
  const y = room.y + (room.height - side - textHeight) / 2;
  return {
    code: { x: room.x + (room.width - side) / 2, y, width: side, height: side },
    lines: stack(lines, { ...room, y: y + side, height: textHeight }),
  };
}

type Line = Pick<StickerLine, 'text' | 'outline' | 'kind' | 'size'>;

/** One of the lines of a text, with its width in parts of the type size. */
type Part = Pick<StickerLine, 'text' | 'outline'> & { readonly width: number };

/** Returns the lines that fit: as many texts as possible, each in as few lines as possible. */
function linesOf({ own, call, typedCode, product }: StickerTexts, width: number, height: number): readonly Line[] {
  const texts = { own, call, 'typed-code': typedCode, product };
  for (let leftOut = 0; leftOut < LEFT_OUT_FIRST.length; leftOut += 1) {
    const kinds = KINDS.filter((kind) => texts[kind] && !LEFT_OUT_FIRST.slice(0, leftOut).includes(kind));
    for (const codeParts of [1, 2, 4]) {
      for (const wordParts of [1, 2]) {
        const lines = kinds.flatMap((kind) => {
          const parts = kind === 'typed-code' ? splitCode(typedCode ?? '', codeParts) : partsOf(texts[kind], wordParts);
          const size = Math.min(LARGEST_TYPE, width / Math.max(...parts.map((part) => part.width)));
          return parts.map(({ width: _, ...part }): Line => ({ ...part, kind, size }));
        });
        const largest = largestInHeight(lines, height);
        const fitted = lines.map((line) => ({ ...line, size: Math.min(line.size, largest) }));
        if (fitted.every(({ size }) => size >= SMALLEST_TYPE)) return fitted;
      }
    }
  }
  return [];
}

/** Splits a typed code after hyphens into parts of equal length. */
function splitCode(typedCode: string, parts: number): readonly Part[] {
  const length = Math.ceil(typedCode.length / parts);
  return Array.from({ length: parts }, (_, part) => {
    const text = typedCode.slice(part * length, (part + 1) * length);
    return { text, width: text.length * CODE_WIDTH };
  });
}

/** Returns a text in one line, or in two where it can be broken. */
function partsOf(text: LineText = '', parts: number): readonly Part[] {
  if (typeof text === 'string') return splitWords(text, parts).map((part) => ({ text: part, width: textWidth(part) }));
  const lines = parts === 1 ? [text.whole] : text.halves;
  return lines.map((outline) => ({ text: text.text, outline, width: outline.width }));
}

/** Splits a text into one or two parts, at the space that makes the longer part shortest. */
function splitWords(text: string, parts: number): readonly string[] {
  if (parts === 1) return [text];
  const words = text.split(' ');
  const splits = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]);
  const longest = (split: readonly string[]) => Math.max(...split.map(textWidth));
  return splits.toSorted((one, other) => longest(one) - longest(other))[0] ?? [text];
}

/** Returns the type size that no line may exceed, so that all fit the height. */
function largestInHeight(lines: readonly Line[], height: number): number {
  const sizes = lines.map(({ size }) => size).toSorted((one, other) => one - other);
  let left = height / LINE_HEIGHT;
  for (const [at, size] of sizes.entries()) {
    const share = left / (sizes.length - at);
    if (size > share) return share;
    left -= size;
  }
  return LARGEST_TYPE;
}

function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { size }) => sum + size * LINE_HEIGHT, 0);
}

/** Places lines in the middle of the box, one below the other. */
function stack(lines: readonly Line[], { x, y, width, height }: Box): readonly StickerLine[] {
  let top = y + (height - heightOf(lines)) / 2;
  return lines.map((line) => {
    const lineHeight = line.size * LINE_HEIGHT;
    const placed = { ...line, x, y: top, width, height: lineHeight };
    top += lineHeight;
    return placed;
  });
}
