/**
 * Characters that are invisible: JavaScript's whitespace and the zero-width characters (U+200B to U+200D, U+2060).
 * `internal.trim_message` in the database has the same list; a test compares the two.
 */
const BLANKS = new Set(
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
    '\u200b\u200c\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff',
);

/** Control characters but the tab and the new line, and those that override the writing direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a message as it is stored: one character per line break (forms send two), without control characters,
 * overrides of the writing direction, and surrounding blanks. Empty for a text without visible characters.
 *
 * @example trimMessage(' Found it!\r\nCall me. '); // 'Found it!\nCall me.'
 */
export function trimMessage(typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '');
  let start = 0;
  let end = text.length;
  // A loop, because a regular expression anchored at the end takes quadratic time for a text of blanks.
  while (start < end && BLANKS.has(text.charAt(start))) start += 1;
  while (end > start && BLANKS.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
