import { accentColors, type Tokens } from '#domain/brand/accent-colors.ts';
import type { BrandSettings, LogoFile } from '#server/settings/brand.ts';

/**
 * Returns a style sheet with the operator's color and logo, for every document; empty without them. Its selectors weigh more
 * than those of the tokens, so that it may stand before them.
 */
export function brandStyles({ color, logo }: Pick<BrandSettings, 'color' | 'logo'>): string {
  return styles(color, logo === null ? null : `${LOGO_PATH}?${logo.version}`);
}

/** The same for a page without a connection: the logo is in it. */
export function brandStylesOffline({ color, logo }: Pick<BrandSettings, 'color' | 'logo'>): string {
  return styles(color, logo === null ? null : dataUrl(logo));
}

export const LOGO_PATH = '/brand-logo';

function styles(color: string | null, logoUrl: string | null): string {
  return (color === null ? '' : colorStyles(color)) + (logoUrl === null ? '' : logoStyles(logoUrl));
}

function colorStyles(color: string): string {
  const { light, dark } = accentColors(color);
  return `:root:root{${values(light)}}@media (prefers-color-scheme:dark){:root:root{${values(dark)}}}`;
}

/** The product's mark is an SVG in the page, whose shapes give way to the image. */
function logoStyles(url: string): string {
  return `[data-logo]>*{display:none}[data-logo]{background:url(${url}) center/contain no-repeat}`;
}

function values(tokens: Tokens): string {
  return Object.entries(tokens)
    .map(([name, value]) => `--color-${name}:${value}`)
    .join(';');
}

function dataUrl({ bytes, type }: LogoFile): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
