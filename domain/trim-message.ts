/**
 * Takes room and shows nothing: JavaScript's own white space, and the characters of no width (U+200B to U+200D, U+2060).
 * The same list stands in `internal.trim_message` of the database; a test holds the two together.
 */
const BLANKS = new Set(
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
    '\u200b\u200c\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff',
);

/**
 * A message as it is kept: line breaks as one character each (forms send two), and no blanks around it. Empty for what
 * has no visible character.
 */
export function trimMessage(typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n');
  let start = 0;
  let end = text.length;
  // By hand: a regular expression anchored at the end takes the square of the length for a text full of blanks.
  while (start < end && BLANKS.has(text.charAt(start))) start += 1;
  while (end > start && BLANKS.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
