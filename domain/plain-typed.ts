/** Also what copies of documents have in place of pictures, and the blank of Braille. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Format}\p{Enclosing_Mark}\p{Control}\p{Surrogate}\u2800\ufffc]/gu;

/**
 * Returns what a person typed or pasted as a code or number in the plain characters of such: compatibility forms (such as
 * full-width letters) and the digits of any script as ASCII, any white space as a space, and nothing that cannot be seen.
 *
 * @example
 * plainTyped('４٠7'); // '407'
 * plainTyped('+972\ufe0d-50'); // '+972-50'
 */
export function plainTyped(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s\u0085]/gu, ' ')
    .replaceAll(UNSEEN, '')
    .replace(/\p{Decimal_Number}/gu, asciiDigit);
}

/** Unicode has the digits of each script in order, from zero to nine, so their place in their run is their value. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Decimal_Number}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}
