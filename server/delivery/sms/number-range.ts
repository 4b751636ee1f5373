/** Ranges of 10,000 adjacent numbers: the unit in which numbers are rented for SMS fraud. */
const DIGITS_WITHIN_RANGE = 4;

/** Returns the range of a number (E.164): all numbers that differ only in the last four digits. */
export function rangeOf(number: string): string {
  return number.slice(0, -DIGITS_WITHIN_RANGE);
}
