import { readLanguage } from '#app/i18n/use-texts.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const SPANS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** @example formatBytes(5_300_000) // '5.3 MB' */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return inUnit(bytes / 1_000 ** power, UNITS[power] ?? 'byte');
}

/** @example formatSeconds(7_300) // '2 hr' */
export function formatSeconds(seconds: number): string {
  const [unit, length] = SPANS.find(([, length]) => seconds >= length) ?? ['second', 1];
  return inUnit(seconds / length, unit);
}

/** @example formatCount(12_300) // '12,300' */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(readLanguage().tag).format(count);
}

function inUnit(value: number, unit: string): string {
  const digits = value < 10 ? 1 : 0;
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(readLanguage().tag, options).format(value);
}
