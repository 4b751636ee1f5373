/**
 * What separates words, in a regular expression: JavaScript's white space, the next line (U+0085), and the zero-width
 * space. The functions of the database that split and trim texts have the same list; `tests/policies/white-space.test.ts`
 * compares the two.
 */
const BETWEEN_WORDS = /[\t-\r \u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+/u;

/** Also invisible, but within words: joiners, which scripts and emoji need. They are trimmed, and separate nothing. */
const JOINERS = '\u200c\u200d\u2060';

/** Whether a character takes room at most, and shows nothing. */
function isBlank(character: string): boolean {
  return BETWEEN_WORDS.test(character) || JOINERS.includes(character);
}

/**
 * Returns a text without surrounding blanks, which `trim` would leave in part. Empty for a text that shows nothing.
 *
 * @example trimBlanks('\u200b Maya\u00a0'); // 'Maya'
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  // A loop, because a regular expression anchored at the end takes quadratic time for a text of blanks.
  while (start < end && isBlank(text.charAt(start))) start += 1;
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1;
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
