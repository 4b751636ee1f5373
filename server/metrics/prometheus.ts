import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ServiceLog } from '#server/log/log.ts';
import { formatMetrics, type ProcessMetrics } from './merge-metrics.ts';
import type { MetricName, Metrics } from './metrics.ts';
import { type CountedRequest, countRequests } from './request-counts.ts';

export interface PrometheusMetrics extends Metrics {
  readonly contentType: string;
  countRequest(request: CountedRequest): void;
  /** All metrics in Prometheus' text format. */
  expose(): Promise<string>;
  /** The same one by one, to be merged with those of other processes. */
  read(): Promise<ProcessMetrics>;
  /** What only grows, without a look at anything that may have been closed. */
  readCounts(): Promise<ProcessMetrics>;
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** Metrics for Prometheus, with those of the process and of Node. */
export function createPrometheusMetrics(log: ServiceLog): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = countRequests();
  const read = async (metrics: readonly { readonly name: string }[]): Promise<ProcessMetrics> => {
    const others = metrics.map(async (metric) => {
      // Declared for the class of each kind alone.
      const { name, aggregator = 'sum' } = metric as { name: string; aggregator?: string };
      const text = await registry.getSingleMetricAsString(name);
      return { name, text, merge: isDelay(name, aggregator) ? 'max' : aggregator };
    });
    return [...(await Promise.all(others)), ...requests.read()];
  };
  const readAll = () => read(registry.getMetricsAsArray());

  return {
    contentType: METRICS_TYPE,
    countRequest: requests.count,
    gauge(metric, read) {
      const gauge = new Gauge({
        ...described(metric),
        aggregator: metric.merge ?? 'sum',
        registers,
        async collect() {
          // Without labels, `reset` would set it to 0.
          this.reset();
          this.remove({});
          try {
            const values = await read();
            if (typeof values === 'number') this.set(values);
            else for (const { labels, value } of values) this.set(labels, value);
          } catch (error) {
            log.warn({ err: error, metric: metric.name }, 'A metric could not be read.');
          }
        },
      });
      gauge.remove({});
    },
    counter(metric, series = []) {
      const counter = new Counter({ ...described(metric), registers });
      for (const labels of series) counter.inc(labels, 0);
      return (labels) => counter.inc(labels);
    },
    tally(metric, read) {
      void new Counter({
        ...described(metric),
        registers,
        collect() {
          this.reset();
          for (const { labels, value } of read()) this.inc(labels, value);
        },
      });
    },
    expose: async () => formatMetrics(await readAll()),
    read: readAll,
    readCounts: () => read(registry.getMetricsAsArray().filter((metric) => !(metric instanceof Gauge))),
  };
}

/** Of several event loops the one that is late counts. Their average would hide it. */
function isDelay(name: string, aggregator: string): boolean {
  return name.startsWith('nodejs_eventloop_lag_') && aggregator === 'average';
}

function described({ name, help, labels = [] }: MetricName) {
  return { name, help, labelNames: [...labels] };
}
