import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceLog } from '#server/log/log.ts';
import type { Metric, ProcessMetrics } from './merge-metrics.ts';
import type { CountedRequest, MetricName, Metrics } from './metrics.ts';

export interface PrometheusMetrics extends Metrics {
  countRequest(request: CountedRequest): void;
  /** All metrics in Prometheus' text format. */
  expose(): Promise<string>;
  /** The same one by one, to be merged with those of other processes. */
  read(): Promise<ProcessMetrics>;
  /** What only grows, without a look at anything that may have been closed. */
  readCounts(): Promise<ProcessMetrics>;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);
/** In seconds. The first ones tell a cached page from a read, the last ones a slow request from a hanging one. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics for Prometheus, with those of the process and of Node. */
export function createPrometheusMetrics(log: ServiceLog): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const durations = new Histogram({
    name: 'reunite_request_duration_seconds',
    help: 'Time until a response began, with the arrival of what the request sent, by route.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  const responses = new Counter({
    name: 'reunite_responses_total',
    help: 'Responses, by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });

  return {
    countRequest({ method: given, route, status, ms }) {
      // Node accepts methods that no route of ours has.
      const method = METHODS.has(given) ? given : 'other';
      durations.observe({ method, route }, ms / 1000);
      responses.inc({ method, route, status });
    },
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
    expose: () => registry.metrics(),
    async read() {
      // prom-client declares types as numbers; they are names.
      const metrics = (await registry.getMetricsAsJSON()) as unknown as Metric[];
      return metrics.map((metric) => (isDelay(metric) ? { ...metric, aggregator: 'max' } : metric));
    },
    async readCounts() {
      const counting = registry.getMetricsAsArray().filter((metric) => !(metric instanceof Gauge));
      // Declared without what every class of a metric has.
      return Promise.all((counting as unknown as { get(): Promise<Metric> }[]).map((metric) => metric.get()));
    },
  };
}

/** Of several event loops the one that is late counts. Their average would hide it. */
function isDelay({ name, aggregator }: Metric): boolean {
  return name.startsWith('nodejs_eventloop_lag_') && aggregator === 'average';
}

function described({ name, help, labels = [] }: MetricName) {
  return { name, help, labelNames: [...labels] };
}
