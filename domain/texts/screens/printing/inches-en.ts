const MM_PER_INCH = 25.4;
/** Sizes are printed on the packages of labels in these parts of an inch. */
const DENOMINATORS = [1, 2, 3, 4, 8, 16];
/** In millimeters: as far as a table of sizes is rounded. */
const TOLERANCE = 0.1;

/**
 * A length in inches, as on a package of labels; with two decimals where it is no simple fraction.
 *
 * @example
 * inchesEn(66.675); // '2-5/8'
 */
export function inchesEn(millimeters: number): string {
  const inches = millimeters / MM_PER_INCH;
  for (const denominator of DENOMINATORS) {
    const parts = Math.round(inches * denominator);
    if (Math.abs(parts / denominator - inches) * MM_PER_INCH > TOLERANCE) continue;
    const whole = Math.floor(parts / denominator);
    const rest = parts % denominator;
    if (rest === 0) return String(whole);
    return whole === 0 ? `${rest}/${denominator}` : `${whole}-${rest}/${denominator}`;
  }
  return inches.toFixed(2);
}
