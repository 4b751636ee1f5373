/** How high a line of text is, and where its baseline is below its middle, in parts of its type size. */
export const LINE_HEIGHT = 1.25;
/** Half the height of capitals and digits: in the middle of its line, a word in capitals has as much room above as below. */
export const BASELINE = 0.35;

/** The longest line of somebody's own, in UTF-16 code units as a field counts them: more would be too small to be read. */
export const LONGEST_OWN_LINE = 40;

/** A line as outlines, in thousandths of its type size, from its start on the baseline. The vertical axis points down. */
export interface LineOutline {
  /** In parts of the type size. */
  readonly width: number;
  /** A path as SVG has it: absolute coordinates, filled by the nonzero rule. */
  readonly path: string;
}

/** A text that is drawn as outlines. */
export interface OutlinedText {
  readonly text: string;
  /** The text in one line, and in the two lines whose longer one is shortest. One that cannot be broken has one again. */
  readonly whole: LineOutline;
  readonly halves: readonly LineOutline[];
}

/**
 * A text beside the QR code: a string, normalized to NFC, where the typefaces of every PDF reader have all of its
 * characters (`unprintableCharacters`), otherwise its outlines.
 */
export type LineText = string | OutlinedText;

/** Returns how Unicode names a character, such as `U+2602`. */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
