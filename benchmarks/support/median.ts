export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return (low + high) / 2;
}

/** The median of the rounds' ratios: what disturbs the machine for a while disturbs both sides of a round alike. */
export function medianRatio(ours: readonly number[], others: readonly number[]): number {
  return median(ours.map((figure, round) => figure / (others[round] ?? Number.NaN)));
}
