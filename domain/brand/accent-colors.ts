import { contrast, mixed } from '#domain/contrast.ts';

/** The grounds of `app/ui/style/tokens.css` on which the accent is read: the darkest light one, and the dark ones. */
const SUNKEN = '#e7eeea';
const DARK_CANVAS = '#0b1412';
const DARK_GROUNDS = ['#13201c', '#2a2411'];
const ON_NIGHT = '#f1faf6';
const [WHITE, BLACK] = ['#ffffff', '#000000'];

/** What text needs (WCAG 2.2, AA), and with room for the grounds between. */
const READABLE = 4.5;
const CLEAR = 7;
const DEEP = 10;

/** Values of the tokens, by their names without `--color-`. */
export type Tokens = Readonly<Record<string, string>>;

/** Returns the color itself, or the nearest darker one that can be read as a link on every light ground. */
export function readableAccent(color: string): string {
  return until(color, BLACK, (made) => contrast(made, SUNKEN) >= READABLE);
}

/** The tokens that follow from an accent which can be read, in light and dark mode. */
export function accentColors(accent: string): { readonly light: Tokens; readonly dark: Tokens } {
  const soft = until(mixed(accent, WHITE, 0.15), WHITE, (made) => contrast(made, accent) >= READABLE);
  const night = until(accent, BLACK, (made) => contrast(made, ON_NIGHT) >= DEEP);
  const darkSoft = mixed(accent, DARK_CANVAS, 0.25);
  const bright = until(accent, WHITE, (made) =>
    [...DARK_GROUNDS, darkSoft].every((ground) => contrast(made, ground) >= CLEAR),
  );
  return {
    light: {
      primary: accent,
      'primary-strong': mixed(accent, BLACK, 0.75),
      'primary-soft': soft,
      night,
      'on-night-soft': mixed(accent, WHITE, 0.2),
    },
    dark: {
      primary: bright,
      'primary-strong': mixed(bright, WHITE, 0.7),
      'on-primary': mixed(accent, BLACK, 0.2),
      'primary-soft': darkSoft,
      night: mixed(night, DARK_CANVAS, 0.5),
      'on-night-soft': mixed(accent, WHITE, 0.2),
    },
  };
}

/** The nearest color to `from`, on the way to `to`, that is `enough`. */
function until(from: string, to: string, enough: (color: string) => boolean): string {
  for (let share = 1; share > 0; share -= 0.02) {
    const made = mixed(from, to, share);
    if (enough(made)) return made;
  }
  return to;
}
