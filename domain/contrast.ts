/**
 * The contrast of two colors, from 1 to 21 (WCAG 2.2).
 *
 * @example contrast('#000000', '#ffffff') // 21
 */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * A color between two: `share` of the first, from 0 to 1.
 *
 * @example mixed('#ff0000', '#000000', 0.5) // '#800000'
 */
export function mixed(one: string, other: string, share: number): string {
  const [first, second] = [partsOf(one), partsOf(other)];
  const parts = first.map((part, at) => Math.round(part * share + (second[at] ?? 0) * (1 - share)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function partsOf(color: string): number[] {
  if (!/^#[0-9a-f]{6}$/i.test(color)) throw new Error(`${color} is not a color such as #0b5d4d.`);
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
