/** What the form says of each slip in a typed code, as data of the document. */
export interface SlipTexts {
  readonly empty: string;
  readonly mistyped: string;
  /** With `SLIP_CHARACTER` for the character. */
  readonly character: string;
  /** Of a code with each number of characters, from none on. */
  readonly lengths: readonly string[];
  /** Of any other text. */
  readonly other: string;
}

/** Stands for the character in a text: no code has it, and no text. */
export const SLIP_CHARACTER = '\u{FFFC}';
