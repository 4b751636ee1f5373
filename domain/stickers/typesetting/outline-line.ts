import { BASELINE, LINE_HEIGHT, type LineOutline } from '../line-text.ts';
import type { ShapedLine } from './shape-line.ts';

/** The room of a line above and below its baseline, in thousandths of its type size. */
const ROOM = { above: (LINE_HEIGHT / 2 + BASELINE) * 1_000, below: (LINE_HEIGHT / 2 - BASELINE) * 1_000 } as const;

/** A command of a path, and its points one after the other. */
interface Segment {
  readonly type: string;
  readonly values: readonly number[];
}

/**
 * Returns the outlines of a line. Glyphs that are higher or deeper than Latin letters, such as those of Devanagari and
 * Arabic with their marks, are moved and made smaller until they keep to the line: what is above it may be the quiet zone
 * of the QR code.
 */
export function outlineLine({ glyphs, width }: ShapedLine): LineOutline {
  const segments = glyphs.flatMap(({ font, id, x, y }): readonly Segment[] => {
    const scale = 1_000 / font.face.upem;
    return font.glyphToJson(id).map(({ type, values }) => ({
      type,
      values: values.map((value, index) => (index % 2 === 0 ? x + value * scale : y - value * scale)),
    }));
  });
  const heights = segments.flatMap(({ values }) => values.filter((_, index) => index % 2 === 1));
  const top = Math.min(0, ...heights);
  const bottom = Math.max(1, ...heights);
  const scale = Math.min(1, (ROOM.above + ROOM.below) / (bottom - top));
  const shift = Math.max(0, -ROOM.above - top * scale) - Math.max(0, bottom * scale - ROOM.below);
  const path = segments.map(
    ({ type, values }) =>
      type + values.map((value, index) => Math.round(value * scale + (index % 2 === 0 ? 0 : shift))).join(' '),
  );
  return { width: (width * scale) / 1_000, path: path.join('') };
}
