// biome-ignore lint/style/noRestrictedImports: a test runs in Node, where the style sheet is a file
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Palette = Readonly<Record<string, string>>;

const [light = {}, dark = {}] = readPalettes();

/** Text on its ground, as the screens pair them. */
const TEXT_PAIRS = [
  ['ink', 'canvas'],
  ['ink', 'surface'],
  ['ink', 'sunken'],
  ['ink-soft', 'canvas'],
  ['ink-soft', 'surface'],
  ['ink-soft', 'sunken'],
  ['primary', 'canvas'],
  ['primary', 'surface'],
  ['primary', 'primary-soft'],
  ['primary-strong', 'surface'],
  ['ink', 'primary-soft'],
  ['on-primary', 'primary'],
  ['on-primary', 'primary-strong'],
  ['on-tag', 'tag'],
  ['on-tag', 'tag-strong'],
  ['ink', 'tag-soft'],
  ['primary', 'tag-soft'],
  ['on-tag-soft', 'tag-soft'],
  ['on-night', 'night'],
  ['on-night-soft', 'night'],
  ['tag', 'night'],
  ['danger', 'surface'],
  ['danger', 'canvas'],
  ['danger', 'danger-soft'],
  ['ink', 'danger-soft'],
  ['on-danger', 'danger'],
  ['warning', 'surface'],
] as const;

describe.each([
  ['light', light],
  ['dark', { ...light, ...dark }],
])('%s colors', (_name, palette: Palette) => {
  it.each(TEXT_PAIRS)('%s on %s reads at 4.5 to 1', (text, ground) => {
    expect(contrast(palette, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['surface', 'canvas'])('the border of an input stands out from %s at 3 to 1', (ground) => {
    expect(contrast(palette, 'line-strong', ground)).toBeGreaterThanOrEqual(3);
  });
});

function readPalettes(): Palette[] {
  const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
  return css
    .split('@media (prefers-color-scheme: dark)')
    .map((part) =>
      Object.fromEntries(
        Array.from(part.matchAll(/--color-([a-z-]+): (#[0-9a-f]{6});/g), ([, name, hex]) => [name, hex]),
      ),
    );
}

/** WCAG 2.2, contrast ratio. */
function contrast(palette: Palette, one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(palette[one]), luminance(palette[other])].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string | undefined): number {
  if (hex === undefined) throw new Error('This color is not in the tokens.');
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
