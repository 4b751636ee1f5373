import * as v from 'valibot';

/** Decimal digits, perhaps with a sign. */
const DIGITS = /^-?\d{1,15}$/;

/**
 * A whole number within bounds, also as text, which the reference converts: its Python client sends numbers so.
 *
 * @example v.parse(wholeNumber(1, 100), '60'); // 60
 */
export function wholeNumber(least: number, most: number) {
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(DIGITS), v.transform(Number))]),
    v.integer(),
    v.minValue(least),
    v.maxValue(most),
  );
}
