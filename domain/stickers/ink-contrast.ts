import { contrast } from '#domain/contrast.ts';

/** The least contrast of a sticker's ink with white paper: what WCAG asks of text, and enough for every reader. */
export const LEAST_INK_CONTRAST = 4.5;

/**
 * Returns the contrast of a color with white paper, from 1 to 21 (WCAG 2.2, contrast ratio).
 *
 * @example inkContrast('#000000'); // 21
 */
export function inkContrast(color: string): number {
  return contrast(color, '#ffffff');
}
