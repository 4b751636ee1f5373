/**
 * Returns what a person typed or pasted as a code or number in the plain characters of such: compatibility forms (such as
 * full-width letters) and the digits of any script as ASCII, and nothing that cannot be seen.
 *
 * @example
 * plainTyped('４٠7'); // '407'
 * plainTyped('+972\ufe0d-50'); // '+972-50'
 */
export function plainTyped(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Format}\p{Enclosing_Mark}]/gu, '')
    .replace(/\p{Decimal_Number}/gu, asciiDigit);
}

/** Unicode has the digits of each script in order, from zero to nine, so their place in their run is their value. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Decimal_Number}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}
