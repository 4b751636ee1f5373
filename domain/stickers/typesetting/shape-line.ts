import { Buffer, Direction, type Font, shape } from 'harfbuzzjs';
import type { Run } from './runs.ts';

/** A glyph at its place on the baseline, in thousandths of the type size. The vertical axis points down. */
interface PlacedGlyph {
  readonly font: Font;
  /** 0 where the font lacks the character. */
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** The place in the text of the first character that the glyph draws. */
  readonly cluster: number;
}

export interface ShapedLine {
  readonly glyphs: readonly PlacedGlyph[];
  readonly width: number;
}

/**
 * Chooses and places the glyphs of a line: joined forms, ligatures, marks, and kerning, as the font has them.
 *
 * @param runs from left to right
 */
export function shapeLine(text: string, runs: readonly Run[], fontOf: (run: Run) => Font): ShapedLine {
  const glyphs: PlacedGlyph[] = [];
  let pen = 0;
  for (const run of runs) {
    const font = fontOf(run);
    const buffer = new Buffer();
    // With the text around it: an Arabic letter joins over the end of a run.
    buffer.addText(text, run.start, run.end - run.start);
    buffer.setDirection(run.level % 2 === 1 ? Direction.RTL : Direction.LTR);
    if (run.file.language !== undefined) buffer.setLanguage(run.file.language);
    buffer.guessSegmentProperties();
    shape(font, buffer);
    const scale = 1_000 / font.face.upem;
    for (const {
      codepoint: id,
      cluster,
      xAdvance = 0,
      xOffset = 0,
      yOffset = 0,
    } of buffer.getGlyphInfosAndPositions()) {
      glyphs.push({ font, id, cluster, x: pen + xOffset * scale, y: -yOffset * scale });
      pen += xAdvance * scale;
    }
  }
  return { glyphs, width: pen };
}
