/** The threshold of PostgREST's search: less similar names are not suggested. */
const LEAST_ALIKE = 0.33;
/** Longer than any name or list of arguments of ours. The comparison takes quadratic time. */
const LONGEST = 300;

/**
 * Returns the most similar name, the first of equals, or null where none is similar enough. Used for hints in error
 * messages.
 */
export function closestName(word: string, names: readonly string[]): string | null {
  let closest: string | null = null;
  let most = LEAST_ALIKE;
  for (const name of names.toSorted()) {
    const alike = likeness(word.toLowerCase(), name.toLowerCase());
    if (alike > most) [closest, most] = [name, alike];
  }
  return closest;
}

/** Returns a similarity from 0 to 1. Words without a common pair of adjacent letters score 0. */
function likeness(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  if (longest === 0 || longest > LONGEST || !sharePair(one, other)) return 0;
  return 1 - editDistance(one, other) / longest;
}

function sharePair(one: string, other: string): boolean {
  for (let at = 0; at < one.length - 1; at += 1) if (other.includes(one.slice(at, at + 2))) return true;
  return false;
}

/** Returns the Levenshtein distance, computed row by row. */
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
