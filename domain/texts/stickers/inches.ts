const MM_PER_INCH = 25.4;
/** Sizes are printed on the packages of labels in these parts of an inch. */
const DENOMINATORS = [1, 2, 3, 4, 8, 16];
/** In millimeters: as far as a table of sizes is rounded. */
const TOLERANCE = 0.1;

/**
 * A length in inches, as on a package of labels; with two decimals where it is no simple fraction.
 *
 * @example
 * inInches(66.675); // '2-5/8'
 */
export function inInches(millimeters: number): string {
  const length = millimeters / MM_PER_INCH;
  for (const denominator of DENOMINATORS) {
    const parts = Math.round(length * denominator);
    if (Math.abs(parts / denominator - length) * MM_PER_INCH > TOLERANCE) continue;
    const whole = Math.floor(parts / denominator);
    const rest = parts % denominator;
    if (rest === 0) return String(whole);
    return whole === 0 ? `${rest}/${denominator}` : `${whole}-${rest}/${denominator}`;
  }
  return length.toFixed(2);
}
