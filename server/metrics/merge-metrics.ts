/** A metric of one process. */
export interface Metric {
  readonly name: string;
  /** In Prometheus' text format: its `# HELP` and `# TYPE` lines, and a line for each of its series. */
  readonly text: string;
  /** How it is merged with that of other processes, by prom-client's names. */
  readonly merge: string;
}

/** The metrics of one process. */
export type ProcessMetrics = readonly Metric[];

const MERGES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  first: ([value = 0]) => value,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

const COUNTS = /^# TYPE \S+ (counter|histogram|summary)$/m;

/**
 * Returns what only grows in metrics of a process: what is still true of it when it has ended. Without it, the sum of all
 * processes would fall when one is replaced, and Prometheus would take what is left for counted anew.
 */
export function countsOf(metrics: ProcessMetrics): ProcessMetrics {
  return metrics.filter(({ text }) => COUNTS.test(text));
}

/** Returns what has changed in metrics of a process since it was last called. */
export function findChanged(): (metrics: ProcessMetrics) => ProcessMetrics {
  const last = new Map<string, string>();
  return (metrics) => {
    const changed = metrics.filter(({ name, text }) => last.get(name) !== text);
    for (const { name, text } of changed) last.set(name, text);
    return changed;
  };
}

/**
 * Returns a function that merges the metrics of several processes to those of one. What has not changed since it was last
 * called is not merged again. It works on the text: to pass on and merge objects took twice the CPU time.
 */
export function createMerge(): (processes: readonly ProcessMetrics[]) => ProcessMetrics {
  let last = new Map<string, { readonly of: readonly Metric[]; readonly merged: Metric | null }>();
  return (processes) => {
    const byName = Map.groupBy(processes.flat(), ({ name }) => name);
    const next: typeof last = new Map();
    for (const [name, of] of byName) {
      const before = last.get(name);
      const isSame = before?.of.length === of.length && before.of.every(({ text }, index) => text === of[index]?.text);
      next.set(name, isSame ? before : { of, merged: mergeOne(of) });
    }
    last = next;
    return [...next.values()].flatMap(({ merged }) => merged ?? []);
  };
}

/** Returns metrics in Prometheus' text format. */
export function formatMetrics(metrics: ProcessMetrics): string {
  return `${metrics.map(({ text }) => text).join('\n\n')}\n`;
}

/** Returns the metric of several processes as that of one, or null where that would mean nothing. */
function mergeOne(metrics: readonly Metric[]): Metric | null {
  const [first] = metrics;
  // "omit", and names that are not known here.
  const merge = first && MERGES[first.merge];
  if (first === undefined || merge === undefined) return null;
  const head: string[] = [];
  const series = new Map<string, number[]>();
  for (const metric of metrics) {
    for (const line of metric.text.split('\n')) {
      if (line.startsWith('#')) {
        if (metric === first) head.push(line);
        continue;
      }
      // A label may contain blanks; the value is behind the last one.
      const at = line.lastIndexOf(' ');
      const labels = line.slice(0, at);
      const value = Number(line.slice(at + 1));
      const values = series.get(labels);
      if (values === undefined) series.set(labels, [value]);
      else values.push(value);
    }
  }
  const lines = Array.from(series, ([labels, values]) => `${labels} ${merge(values)}`);
  return { ...first, text: [...head, ...lines].join('\n') };
}
