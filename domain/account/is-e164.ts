/**
 * Whether a text is a number in the form of ITU-T E.164: a plus and at most 15 digits. Some libraries accept longer
 * numbers, which are used only within a country.
 */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{1,14}$/.test(text);
}
