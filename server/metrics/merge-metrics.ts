/** The metrics of one process, as it sends them to its supervisor. */
export interface ProcessMetrics {
  /** In Prometheus' text format. */
  readonly text: string;
  /** How metrics are merged that are not summed, by prom-client's names. */
  readonly merges: Readonly<Record<string, string>>;
}

/** The metrics of a process that measures nothing, or has counted nothing yet. */
export const NOTHING_MEASURED: ProcessMetrics = { text: '', merges: {} };

const MERGES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  first: ([value = 0]) => value,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

const COUNTS = /^# TYPE \S+ (counter|histogram|summary)$/;

/**
 * Returns what only grows in metrics of a process: what is still true of it when it has ended. Without it, the sum of all
 * processes would fall when one is replaced, and Prometheus would take what is left for counted anew.
 */
export function countsOf({ text }: ProcessMetrics): ProcessMetrics {
  const metrics = text.split(/^(?=# HELP )/m);
  return {
    text: metrics.filter((metric) => metric.split('\n').some((line) => COUNTS.test(line))).join(''),
    merges: {},
  };
}

/** A metric with its `# HELP` and `# TYPE` lines, and the values of each of its series. */
interface Merged {
  readonly head: string[];
  readonly series: Map<string, number[]>;
}

/**
 * Returns the metrics of several processes as those of one, in Prometheus' text format. It works on the text: to pass
 * on and merge objects took twice the CPU time.
 */
export function mergeMetrics(processes: readonly ProcessMetrics[]): string {
  const merges: Record<string, string> = Object.assign({}, ...processes.map((process) => process.merges));
  const metrics = new Map<string, Merged>();
  for (const { text } of processes) collect(text, metrics);
  const lines: string[] = [];
  for (const [name, { head, series }] of metrics) {
    // "omit", and names that are not known here.
    const merge = MERGES[merges[name] ?? 'sum'];
    if (merge === undefined) continue;
    lines.push(...head);
    for (const [labels, values] of series) lines.push(`${labels} ${merge(values)}`);
    lines.push('');
  }
  return `${lines.join('\n')}\n`;
}

function collect(text: string, metrics: Map<string, Merged>): void {
  let metric: Merged | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('# HELP ')) {
      const name = line.slice(7, line.indexOf(' ', 7));
      metric = metrics.get(name);
      if (metric === undefined) {
        metric = { head: [line], series: new Map() };
        metrics.set(name, metric);
      }
    } else if (line.startsWith('#')) {
      if (metric?.head.length === 1) metric.head.push(line);
    } else if (line !== '') {
      // A label may contain blanks; the value is behind the last one.
      const at = line.lastIndexOf(' ');
      const series = line.slice(0, at);
      const values = metric?.series.get(series);
      if (values === undefined) metric?.series.set(series, [Number(line.slice(at + 1))]);
      else values.push(Number(line.slice(at + 1)));
    }
  }
}
