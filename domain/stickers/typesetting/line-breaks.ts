/** Characters of scripts that are written without spaces and may be broken after each character. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\u3001-\u303F\uFF01-\uFF5E]/u;
/** Not at the start of a line: closing signs, small kana, and marks that belong to what is before them. */
const NOT_FIRST =
  /[\p{Pe}\p{Pf}\p{M}、。，．・：；？！ー～…‥々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ\u31F0-\u31FF,.:;?!%]/u;
/** Not at the end of a line. */
const NOT_LAST = /[\p{Ps}\p{Pi}]/u;

/** A place to break a line: the end of its first part and the start of the second one. Between them is at most a space. */
export interface LineBreak {
  readonly end: number;
  readonly start: number;
}

/**
 * Returns where a text may be broken: at spaces, and between the characters of Chinese and Japanese, except where their
 * typography forbids it (UAX #14, classes CL, OP, NS, and CJ).
 */
export function lineBreaks(text: string): readonly LineBreak[] {
  const breaks: LineBreak[] = [];
  let [at, before] = [0, ''];
  for (const character of text) {
    if (character === ' ') breaks.push({ end: at, start: at + 1 });
    else if (
      UNSPACED.test(before) &&
      UNSPACED.test(character) &&
      !NOT_FIRST.test(character) &&
      !NOT_LAST.test(before)
    ) {
      breaks.push({ end: at, start: at });
    }
    at += character.length;
    before = character;
  }
  return breaks;
}
