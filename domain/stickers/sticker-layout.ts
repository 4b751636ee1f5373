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
/** A logo is at least so high, in millimeters, unless its width ends sooner; never lower than the lowest. */
const USUAL_LOGO = 6;
const LOWEST_LOGO = 2.5;
/** The part of the height that a logo takes at most where texts stand below it. */
const LOGO_SHARE = 0.45;
const LOGO_GAP = 1;
/** The part of the height for what is below the code, without and with a logo. */
const BELOW_CODE = 1 / 4;
const BELOW_CODE_WITH_LOGO = 0.35;

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

/** The size of a picture. Only its proportions count here. */
export interface Proportions {
  readonly width: number;
  readonly height: number;
}

/** A sticker in its label. */
export interface StickerLayout {
  /** The square of the QR code with its quiet zone. */
  readonly code: Box;
  /** The place of the logo; null where there is none, or no room for it. */
  readonly logo: Box | null;
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
/** What is left out first where a label has no room for all. */
const LEFT_OUT_FIRST: readonly (LineKind | 'logo')[] = ['product', 'call', 'logo', 'own', 'typed-code'];

/**
 * Places a sticker in the label with this number: the QR code as large as the label permits, and the logo and the texts
 * beside or below it. What has no room is left out: the product's name first, then the call, the logo, the owner's line,
 * and the typed code.
 */
export function stickerLayout(
  format: LabelFormat,
  index: number,
  texts: StickerTexts,
  logo: Proportions | null = null,
): StickerLayout {
  const room = usableBox(format, cellBox(format, index));
  const content = { texts, logo };
  return room.width >= WIDE * room.height ? besideCode(room, content) : belowCode(room, content);
}

/** Of a round label the largest square within it. */
function usableBox({ shape }: LabelFormat, { x, y, width, height }: Box): Box {
  if (shape === 'rectangle') {
    return { x: x + MARGIN, y: y + MARGIN, width: width - 2 * MARGIN, height: height - 2 * MARGIN };
  }
  const side = (Math.min(width, height) - 2 * MARGIN) * Math.SQRT1_2;
  return { x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side };
}

/** What stands beside the code, or below it. */
interface Content {
  readonly texts: StickerTexts;
  readonly logo: Proportions | null;
}

function besideCode(room: Box, content: Content): StickerLayout {
  const side = room.height;
  const beside = { ...room, x: room.x + side + GAP, width: room.width - side - GAP };
  return { code: { ...room, width: side }, ...stack(columnOf(content, beside.width, beside.height), beside) };
}

function belowCode(room: Box, content: Content): StickerLayout {
  // What is below the code may take a part of the height, and what a narrow label has left.
  const most = (share: number) => Math.max(room.height * share, room.height - room.width);
  const withLogo = content.logo && columnOf(content, room.width, most(BELOW_CODE_WITH_LOGO));
  const column = withLogo?.logo ? withLogo : columnOf({ ...content, logo: null }, room.width, most(BELOW_CODE));
  const height = heightOf(column);
  const side = Math.min(room.width, room.height - height);
  const y = room.y + (room.height - side - height) / 2;
  return {
    code: { x: room.x + (room.width - side) / 2, y, width: side, height: side },
    ...stack(column, { ...room, y: y + side, height }),
  };
}

type Line = Pick<StickerLine, 'text' | 'outline' | 'kind' | 'size'>;

/** One of the lines of a text, with its width in parts of the type size. */
type Part = Pick<StickerLine, 'text' | 'outline'> & { readonly width: number };

/** A logo above lines. */
interface Column {
  readonly logo: Proportions | null;
  readonly lines: readonly Line[];
}

/** Returns what fits: as much as possible, each text in as few lines as possible, and the logo as large as possible. */
function columnOf({ texts: { own, call, typedCode, product }, logo }: Content, width: number, height: number): Column {
  const texts = { own, call, 'typed-code': typedCode, product };
  for (let leftOut = 0; leftOut < LEFT_OUT_FIRST.length; leftOut += 1) {
    const without = LEFT_OUT_FIRST.slice(0, leftOut);
    const kinds = KINDS.filter((kind) => texts[kind] && !without.includes(kind));
    const logos = logo === null || without.includes('logo') ? [null] : logoSizes(logo, width, height, kinds.length);
    for (const codeParts of [1, 2, 4]) {
      for (const wordParts of [1, 2]) {
        const lines = kinds.flatMap((kind) => {
          const parts = kind === 'typed-code' ? splitCode(typedCode ?? '', codeParts) : partsOf(texts[kind], wordParts);
          const size = Math.min(LARGEST_TYPE, width / Math.max(...parts.map((part) => part.width)));
          return parts.map(({ width: _, ...part }): Line => ({ ...part, kind, size }));
        });
        for (const size of logos) {
          const largest = largestInHeight(lines, size === null ? height : height - size.height - LOGO_GAP);
          const fitted = lines.map((line) => ({ ...line, size: Math.min(line.size, largest) }));
          if (fitted.every((line) => line.size >= SMALLEST_TYPE)) return { logo: size, lines: fitted };
        }
      }
    }
  }
  return { logo: null, lines: [] };
}

/** Returns the sizes in which a logo may stand above this many texts, the largest first; none without room for it. */
function logoSizes(logo: Proportions, width: number, height: number, texts: number): readonly Proportions[] {
  const highest = (width * logo.height) / logo.width;
  const most = Math.min(highest, texts === 0 ? height : height * LOGO_SHARE);
  const least = Math.min(highest, USUAL_LOGO);
  return [most, (most + least) / 2, least]
    .filter((high) => high >= LOWEST_LOGO && high <= most)
    .map((high) => ({ width: (high * logo.width) / logo.height, height: high }));
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

function heightOf({ logo, lines }: Column): number {
  const ofLines = lines.reduce((sum, { size }) => sum + size * LINE_HEIGHT, 0);
  return ofLines + (logo === null ? 0 : logo.height + (lines.length > 0 ? LOGO_GAP : 0));
}

/** Places a logo and lines in the middle of the box, one below the other. */
function stack(column: Column, { x, y, width, height }: Box): Pick<StickerLayout, 'logo' | 'lines'> {
  const { logo } = column;
  let top = y + (height - heightOf(column)) / 2;
  const place = logo && { ...logo, x: x + (width - logo.width) / 2, y: top };
  if (logo !== null) top += logo.height + LOGO_GAP;
  const lines = column.lines.map((line) => {
    const lineHeight = line.size * LINE_HEIGHT;
    const placed = { ...line, x, y: top, width, height: lineHeight };
    top += lineHeight;
    return placed;
  });
  return { logo: place, lines };
}
