const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/**
 * Returns a duration in words, in the largest unit without a fraction.
 *
 * @example durationEn(600) // '10 minutes'
 */
export function durationEn(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1];
  const count = seconds / length;
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}
