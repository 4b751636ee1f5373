/** As PostgREST's search has it: less alike than this is nothing that was meant. */
const LEAST_ALIKE = 0.33;
/** Longer than any name or list of arguments of ours; comparing takes time by the square of it. */
const LONGEST = 300;

/** The name that a word was probably meant to be: the most alike one, of equals the first; null where none is. */
export function closestName(word: string, names: readonly string[]): string | null {
  let closest: string | null = null;
  let most = LEAST_ALIKE;
  for (const name of names.toSorted()) {
    const alike = likeness(word.toLowerCase(), name.toLowerCase());
    if (alike > most) [closest, most] = [name, alike];
  }
  return closest;
}

/** 1 for the same, 0 for nothing in common; words without two letters in a row in common have nothing. */
function likeness(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  if (longest === 0 || longest > LONGEST || !sharePair(one, other)) return 0;
  return 1 - editDistance(one, other) / longest;
}

function sharePair(one: string, other: string): boolean {
  for (let at = 0; at < one.length - 1; at += 1) if (other.includes(one.slice(at, at + 2))) return true;
  return false;
}

/** Letters to add, drop or change to make one word the other (Levenshtein), row by row of the usual table. */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[other.length] ?? 0;
}
