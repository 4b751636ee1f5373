const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/**
 * Returns a duration in words of a language, in the largest unit without a fraction.
 *
 * @example durationIn('en', 600) // '10 minutes'
 */
export function durationIn(tag: string, seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? (['second', 1] as const);
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}
