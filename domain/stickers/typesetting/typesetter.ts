import { Face, Font, Blob as FontBlob, Variation } from 'harfbuzzjs';
import { woff2Decode } from 'woff-lib/woff2/decode';
import type { OutlinedText } from '../line-text.ts';
import { fontFilesFor } from './font-files.ts';
import { lineBreaks } from './line-breaks.ts';
import { outlineLine } from './outline-line.ts';
import { cutRuns, type Run, runsOf, visualOrder } from './runs.ts';
import { type ShapedLine, shapeLine } from './shape-line.ts';

/** As bold as the typefaces in which plain texts are set. */
const WEIGHT = 700;

export type Typeset =
  | { readonly kind: 'set'; readonly text: OutlinedText }
  /** No font has these characters: once each, in the order of the text. */
  | { readonly kind: 'refused'; readonly characters: readonly string[] };

/** Sets one text, normalized to NFC. Rejects where a font cannot be loaded; the next call tries again. */
export type Typesetter = (text: string) => Promise<Typeset>;

/** Where fonts come from, and whose forms of Chinese characters a text without kana gets. */
interface TypesetterOptions {
  /** Returns the file at this path of the folder `@fontsource-variable`. */
  readonly load: (path: string) => Promise<Uint8Array>;
  /** The reader's languages in BCP 47, preferred first. */
  readonly languages: readonly string[];
}

/** Returns what sets texts in any script that the fonts have. Each font is loaded once, when a text first needs it. */
export function createTypesetter({ load, languages }: TypesetterOptions): Typesetter {
  const fonts = new Map<string, Font>();
  const open = async (path: string) => {
    if (!fonts.has(path)) fonts.set(path, await openFont(await load(path)));
  };
  return async (text) => {
    const { runs, missing } = runsOf(text, fontFilesFor(text, languages));
    await Promise.all([...new Set(runs.map(({ file }) => file.path))].map(open));
    const fontOf = ({ file }: Run) => {
      const font = fonts.get(file.path);
      if (font === undefined) throw new Error(`${file.path} was not opened.`);
      return font;
    };
    const shapePart = (start: number, end: number) => shapeLine(text, visualOrder(cutRuns(runs, start, end)), fontOf);
    const whole = shapePart(0, text.length);
    const characters = unprintable(text, missing, whole);
    if (characters.length > 0) return { kind: 'refused', characters };
    const halves = lineBreaks(text)
      .map(({ end, start }) => [shapePart(0, end), shapePart(start, text.length)])
      .toSorted((one, other) => longest(one) - longest(other))[0] ?? [whole];
    return { kind: 'set', text: { text, whole: outlineLine(whole), halves: halves.map(outlineLine) } };
  };
}

async function openFont(packed: Uint8Array): Promise<Font> {
  const font = new Font(new Face(new FontBlob(await woff2Decode(packed))));
  font.setVariations([new Variation('wght', WEIGHT)]);
  return font;
}

/** A file may lack characters of the range that it is named for. */
function unprintable(text: string, missing: ReadonlySet<string>, { glyphs }: ShapedLine): readonly string[] {
  const lacking = glyphs
    .filter(({ id }) => id === 0)
    .map(({ cluster }) => String.fromCodePoint(text.codePointAt(cluster) ?? 0));
  const all = new Set([...missing, ...lacking]);
  return [...new Set(text)].filter((character) => all.has(character));
}

function longest(lines: readonly ShapedLine[]): number {
  return Math.max(...lines.map(({ width }) => width));
}
