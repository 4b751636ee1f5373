export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return (low + high) / 2;
}

/** Returns the median of the rounds' ratios: a temporary disturbance affects both sides of a round alike. */
export function medianRatio(ours: readonly number[], others: readonly number[]): number {
  return median(ours.map((figure, round) => figure / (others[round] ?? Number.NaN)));
}

/** Returns the figure below which this share of all figures is: 0.99 for the 99th percentile. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
