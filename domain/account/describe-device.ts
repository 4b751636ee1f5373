/** The first match wins. Browsers that also contain another's name come before that one. */
export const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\d/, 'Safari'],
];

/** The systems, in the same way. */
export const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** What is stored where a user agent names neither. */
export const UNKNOWN_DEVICE = 'Unknown device';

/** Returns a user agent as its owner would name the device, such as "Firefox on Linux". It is stored, so it is in English; `deviceInWords` returns what readers see. */
export function describeDevice(userAgent: string): string {
  const first = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  const browser = first(BROWSERS);
  const system = first(SYSTEMS);
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  return browser ?? system ?? UNKNOWN_DEVICE;
}
