import createBidi from 'bidi-js';
import { type FontFile, hasCharacter } from './font-files.ts';

const bidi = createBidi();

/** A part of a text in one direction and one font. Places are those of UTF-16, as in a string. */
export interface Run {
  readonly start: number;
  readonly end: number;
  /** Even from left to right, odd from right to left (UAX #9). */
  readonly level: number;
  readonly file: FontFile;
}

/** A character with the marks on it, which are drawn in the same font. */
const CLUSTER = /.\p{M}*/gsu;
/** Tabs and the like, which a line of text has no place for. */
const CONTROL = /\p{Cc}/u;
/** Has no form of its own: joiners, selectors, and signs of the direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Divides a text into runs in the order in which it is read. `missing` has the characters that no file has. */
export function runsOf(
  text: string,
  files: readonly FontFile[],
): { readonly runs: readonly Run[]; readonly missing: ReadonlySet<string> } {
  const { levels } = bidi.getEmbeddingLevels(text);
  const runs: Run[] = [];
  const missing = new Set<string>();
  for (const { 0: cluster, index: start } of text.matchAll(CLUSTER)) {
    const visible = Array.from(cluster).filter((character) => !INVISIBLE.test(character));
    const last = runs.at(-1);
    const file =
      visible.length === 0
        ? (last?.file ?? files[0])
        : files.find((one) => visible.every((character) => isIn(one, character)));
    if (file === undefined) {
      const lacking = visible.filter((character) => !files.some((one) => isIn(one, character)));
      // Each of them is in some file, and none has all: the marks are what cannot be drawn on this character.
      for (const character of lacking.length > 0 ? lacking : visible.slice(1)) missing.add(character);
      continue;
    }
    const [level, end] = [levels[start] ?? 0, start + cluster.length];
    if (last?.file === file && last.level === level && last.end === start) runs[runs.length - 1] = { ...last, end };
    else runs.push({ start, end, level, file });
  }
  return { runs, missing };
}

function isIn(file: FontFile, character: string): boolean {
  return !CONTROL.test(character) && hasCharacter(file, character);
}

/** Returns the runs of a line from left to right (UAX #9, rule L2). */
export function visualOrder(runs: readonly Run[]): readonly Run[] {
  const ordered = [...runs];
  const levels = runs.map(({ level }) => level);
  const lowestOdd = Math.min(...levels.filter((level) => level % 2 === 1));
  for (let level = Math.max(...levels); level >= lowestOdd; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

/** Returns the parts of the runs between two places of the text. */
export function cutRuns(runs: readonly Run[], start: number, end: number): readonly Run[] {
  return runs
    .filter((run) => run.start < end && run.end > start)
    .map((run) => ({ ...run, start: Math.max(run.start, start), end: Math.min(run.end, end) }));
}
