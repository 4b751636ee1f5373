import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceLog } from '#server/log/log.ts';
import type { ProcessMetrics } from './merge-metrics.ts';
import type { MetricName, Metrics } from './metrics.ts';

/** One response, as the metrics count it. */
export interface CountedRequest {
  readonly method: string;
  /** The pattern of the route, such as `/auth/v1/token`; never the path, which contains tag codes. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export interface PrometheusMetrics extends Metrics {
  readonly contentType: string;
  countRequest(request: CountedRequest): void;
  /** All metrics in Prometheus' text format. */
  expose(): Promise<string>;
  /** The same for `mergeMetrics`. */
  read(): Promise<ProcessMetrics>;
  /** What only grows, without a look at anything that may have been closed. */
  readCounts(): Promise<ProcessMetrics>;
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

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
    contentType: METRICS_TYPE,
    countRequest({ method: given, route, status, ms }) {
      // Node accepts methods that no route of ours has.
      const method = METHODS.has(given) ? given : 'other';
      durations.observe({ method, route }, ms / 1000);
      responses.inc({ method, route, status: String(status) });
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
      const merges: Record<string, string> = {};
      for (const metric of registry.getMetricsAsArray()) {
        const { name, aggregator = 'sum' } = metric as { name: string; aggregator?: string };
        if (aggregator !== 'sum') merges[name] = isDelay(name, aggregator) ? 'max' : aggregator;
      }
      return { text: await registry.metrics(), merges };
    },
    async readCounts() {
      const counts = registry.getMetricsAsArray().filter((metric) => !(metric instanceof Gauge));
      const texts = await Promise.all(counts.map(({ name }) => registry.getSingleMetricAsString(name)));
      return { text: texts.map((text) => `${text}\n\n`).join(''), merges: {} };
    },
  };
}

/** Of several event loops the one that is late counts. Their average would hide it. */
function isDelay(name: string, aggregator: string): boolean {
  return name.startsWith('nodejs_eventloop_lag_') && aggregator === 'average';
}

function described({ name, help, labels = [] }: MetricName) {
  return { name, help, labelNames: [...labels] };
}
