import type { LabelFormat } from './label-formats.ts';
import { type Box, cellBox } from './sheet-layout.ts';

/** Kept free at the edge of a label, where printers and cutters are imprecise. In millimeters. */
const MARGIN = 1.5;
const GAP = 1.5;
/** Light modules around a QR code, required by readers (ISO/IEC 18004). */
export const QUIET_MODULES = 4;
/** The smallest type that is set, and the largest, in millimeters (6 and 12 points). */
const SMALLEST_TYPE = 2.1;
const LARGEST_TYPE = 4.2;
const LINE_HEIGHT = 1.25;
/** Widths as parts of the type size, rounded up, of the typefaces that sheets use: bold words, and a typed code. */
const WORD_WIDTH = 0.62;
const CODE_WIDTH = 0.61;
/** A label at least this much wider than high has its texts beside the code. */
const WIDE = 1.45;

/** A line of text: its box, in which it is centered, and its type size. All in millimeters. */
export interface StickerLine extends Box {
  readonly text: string;
  readonly kind: 'call' | 'typed-code';
  readonly size: number;
}

/** A sticker in its label. */
export interface StickerLayout {
  /** The square of the QR code with its quiet zone. */
  readonly code: Box;
  readonly lines: readonly StickerLine[];
}

/** What is printed beside the QR code. */
export interface StickerTexts {
  /** The call to the finder. */
  readonly call: string;
  readonly typedCode: string;
}

/**
 * Places a sticker in the label with this number: the QR code as large as the label permits, and the texts beside or
 * below it. A text without room is left out, the call first.
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

type Line = Pick<StickerLine, 'text' | 'kind' | 'size'>;

/** Returns the lines that fit: with the call if possible, and the typed code in as few lines as possible. */
function linesOf({ call, typedCode }: StickerTexts, width: number, height: number): readonly Line[] {
  for (const calls of [[call], []]) {
    for (const parts of [1, 2, 4]) {
      const scaled = scaledLines(calls, split(typedCode, parts), width, height);
      if (scaled !== null) return scaled;
    }
  }
  return [];
}

/** Splits a typed code after hyphens into parts of equal length. */
function split(typedCode: string, parts: number): readonly string[] {
  const length = Math.ceil(typedCode.length / parts);
  return Array.from({ length: parts }, (_, part) => typedCode.slice(part * length, (part + 1) * length));
}

function scaledLines(
  calls: readonly string[],
  codes: readonly string[],
  width: number,
  height: number,
): readonly Line[] | null {
  const lines = [
    ...calls.map((text): Line => ({ text, kind: 'call', size: largestType(calls, width, WORD_WIDTH) })),
    ...codes.map((text): Line => ({ text, kind: 'typed-code', size: largestType(codes, width, CODE_WIDTH) })),
  ];
  const scale = Math.min(1, height / heightOf(lines));
  const scaled = lines.map((line) => ({ ...line, size: line.size * scale }));
  return scaled.every(({ size }) => size >= SMALLEST_TYPE) ? scaled : null;
}

/** Returns the largest type in which every text fits the width. */
function largestType(texts: readonly string[], width: number, characterWidth: number): number {
  const longest = Math.max(...texts.map((text) => text.length));
  return Math.min(LARGEST_TYPE, width / (longest * characterWidth));
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
