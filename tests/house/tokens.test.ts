import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentColors, readableAccent } from '#domain/brand/accent-colors.ts';
import { contrast } from '#domain/contrast.ts';

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
  ['primary', 'sunken'],
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
    expect(contrast(palette[text] ?? '', palette[ground] ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['surface', 'canvas'])('the border of an input stands out from %s at 3 to 1', (ground) => {
    expect(contrast(palette['line-strong'] ?? '', palette[ground] ?? '')).toBeGreaterThanOrEqual(3);
  });
});

it('whatever accent an operator chooses, each text can be read on its ground, in light and dark mode', () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(hex, (color) => {
      const accent = accentColors(readableAccent(color));
      const inLight = { ...light, ...accent.light };
      for (const palette of [inLight, { ...inLight, ...dark, ...accent.dark }] satisfies Palette[]) {
        for (const [text, ground] of TEXT_PAIRS) {
          const reached = contrast(palette[text] ?? '', palette[ground] ?? '');
          expect(reached, `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }),
  );
});

function readPalettes(): Palette[] {
  const css = readFileSync(new URL('../../app/ui/style/tokens.css', import.meta.url), 'utf8');
  return css
    .split('@media (prefers-color-scheme: dark)')
    .map((part) =>
      Object.fromEntries(
        Array.from(part.matchAll(/--color-([a-z-]+): (#[0-9a-f]{6});/g), ([, name, hex]) => [name, hex]),
      ),
    );
}
