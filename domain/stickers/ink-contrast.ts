/** The least contrast of a sticker's ink with white paper: what WCAG asks of text, and enough for every reader. */
export const LEAST_INK_CONTRAST = 4.5;

/**
 * Returns the contrast of a color with white paper, from 1 to 21 (WCAG 2.2, contrast ratio).
 *
 * @example inkContrast('#000000'); // 21
 */
export function inkContrast(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
