/**
 * What separates words, in a regular expression: JavaScript's white space, the next line (U+0085), the zero-width space, and
 * what looks like a space: the fillers of Hangul and the blank of Braille. The functions of the database that split and trim texts have the same list; `tests/policies/white-space.test.ts`
 * compares the two.
 */
const BETWEEN_WORDS = /[\s\u0085\u115f\u1160\u200b\u2800\u3164\uffa0]+/;

/** Takes room at most, and shows nothing: also the joiners that scripts and emoji need within words. */
const BLANK = /[\s\u0085\u200b-\u200d\u2060]/;

/**
 * Returns a text without surrounding blanks, which `trim` would leave in part. Empty for a text that shows nothing.
 *
 * @example trimBlanks('\u200b Maya\u00a0'); // 'Maya'
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  // A loop, because a regular expression anchored at the end takes quadratic time for a text of blanks.
  while (BLANK.test(text.charAt(start))) start += 1;
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/**
 * Returns the words of a text, without blanks.
 *
 * @example wordsOf('Maya\u00a0Cohen'); // ['Maya', 'Cohen']
 */
export function wordsOf(text: string): string[] {
  return text
    .split(BETWEEN_WORDS)
    .map(trimBlanks)
    .filter((word) => word !== '');
}
