import { countCharacters } from './count-characters.ts';
import { trimMessage } from './trim-message.ts';

export interface Fitted {
  readonly text: string;
  /** Where the caret goes, in UTF-16 units as in browsers. */
  readonly caret: number;
}

/**
 * Returns the content of a field with at most `limit` code points, not counting surrounding blanks, after text was
 * typed or pasted up to `caret`. The end of the inserted text is cut off; the text around it stays.
 *
 * @example fitTyped('abXXcd', 4, 5); // { text: 'abXcd', caret: 3 }
 */
export function fitTyped(typed: string, caret: number, limit: number): Fitted {
  const excess = countCharacters(trimMessage(typed)) - limit;
  if (excess <= 0) return { text: typed, caret };
  const before = Array.from(typed.slice(0, caret)).slice(0, -excess).join('');
  const text = before + typed.slice(caret);
  if (countCharacters(trimMessage(text)) <= limit) return { text, caret: before.length };
  // The excess is longer than the inserted text, so it was not typed here: cut the end.
  const cut = Array.from(trimMessage(typed)).slice(0, limit).join('');
  return { text: cut, caret: cut.length };
}
