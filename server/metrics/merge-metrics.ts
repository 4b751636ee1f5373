import { AggregatorRegistry } from 'prom-client';

/** A metric of one process, as prom-client gives it. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How it is merged with that of other processes. */
  readonly aggregator: string;
  readonly values: readonly { readonly labels: object; readonly value: number; readonly metricName?: string }[];
}

/** The metrics of one process. */
export type ProcessMetrics = readonly Metric[];

/**
 * Returns what only grows in metrics of a process: what is still true of it when it has ended. Without it, the sum of all
 * processes would fall when one is replaced, and Prometheus would take what is left for counted anew.
 */
export function countsOf(metrics: ProcessMetrics): ProcessMetrics {
  return metrics.filter(({ type }) => type !== 'gauge');
}

/** Returns the metrics of several processes as those of one. */
export function mergeMetrics(processes: readonly ProcessMetrics[]): ProcessMetrics {
  // prom-client keeps merged metrics as they are, and declares their types as numbers.
  return AggregatorRegistry.aggregate([...processes]).getMetricsAsArray() as unknown as ProcessMetrics;
}

/** The same in Prometheus' text format. */
export function exposeMerged(processes: readonly ProcessMetrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...processes]).metrics();
}
