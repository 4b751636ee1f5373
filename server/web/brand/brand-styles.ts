import { accentColors, type Tokens } from '#domain/brand/accent-colors.ts';
import type { BrandSettings, LogoFile } from '#server/settings/brand.ts';

/**
 * Returns a style sheet with the operator's color and logo, for every document; empty without them. Its selectors weigh more
 * than those of the tokens, so that it may stand before them.
 */
export function brandStyles({ color, logo }: Pick<BrandSettings, 'color' | 'logo'>): string {
  return (color === null ? '' : colorStyles(color)) + (logo === null ? '' : logoStyles(logo));
}

export const LOGO_PATH = '/brand-logo';

function colorStyles(color: string): string {
  const { light, dark } = accentColors(color);
  return `:root:root{${values(light)}}@media (prefers-color-scheme:dark){:root:root{${values(dark)}}}`;
}

/** The product's mark is an SVG in the page, whose shapes give way to the image. */
function logoStyles({ version }: LogoFile): string {
  return `[data-logo]>*{display:none}[data-logo]{background:url(${LOGO_PATH}?${version}) center/contain no-repeat}`;
}

function values(tokens: Tokens): string {
  return Object.entries(tokens)
    .map(([name, value]) => `--color-${name}:${value}`)
    .join(';');
}
