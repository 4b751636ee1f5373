import { expect, test } from 'vitest';
import { quietLog } from '#tests/support/quiet-log.ts';
import { countsOf, exposeMerged, mergeMetrics } from './merge-metrics.ts';
import { createPrometheusMetrics, type PrometheusMetrics } from './prometheus.ts';

const valueIn = (text: string, series: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

test('the metrics of two processes are merged: summed, averaged, the largest, or one of them', async () => {
  const [one, other] = [createPrometheusMetrics(quietLog), createPrometheusMetrics(quietLog)];
  const register = (metrics: PrometheusMetrics, sockets: number, due: number) => {
    metrics.gauge({ name: 'sockets', help: 'Test.' }, () => sockets);
    metrics.gauge({ name: 'due', help: 'Test.', merge: 'max' }, () => due);
  };
  register(one, 3, 7);
  register(other, 4, 5);
  one.countRequest({ method: 'GET', route: '/a b', status: 200, ms: 3 });
  other.countRequest({ method: 'GET', route: '/a b', status: 200, ms: 700 });
  other.countRequest({ method: 'POST', route: '/only/here', status: 404, ms: 1 });
  const text = await exposeMerged(await Promise.all([one.read(), other.read()]));

  expect(valueIn(text, 'sockets')).toBe('7');
  expect(valueIn(text, 'due')).toBe('7');
  expect(valueIn(text, 'reunite_responses_total{method="GET",route="/a b",status="200"}')).toBe('2');
  expect(valueIn(text, 'reunite_responses_total{method="POST",route="/only/here",status="404"}')).toBe('1');
  expect(valueIn(text, 'reunite_request_duration_seconds_bucket{le="0.005",method="GET",route="/a b"}')).toBe('1');
  expect(valueIn(text, 'reunite_request_duration_seconds_bucket{le="+Inf",method="GET",route="/a b"}')).toBe('2');
  expect(valueIn(text, 'reunite_request_duration_seconds_count{method="GET",route="/a b"}')).toBe('2');
  // A time of start has no sum, and a version is that of both.
  expect(text).not.toContain('process_start_time_seconds');
  expect(text.match(/^nodejs_version_info\{.*\} 1$/gm)).toHaveLength(1);
  // Each metric once, described once.
  expect(text.match(/^# HELP reunite_responses_total /gm)).toHaveLength(1);
  expect(text.match(/^# TYPE reunite_responses_total counter$/gm)).toHaveLength(1);
});

test('an average is that of the processes, and no process has no metrics', async () => {
  const lag = (value: number) => [
    { name: 'lag', help: 'Test.', type: 'gauge', aggregator: 'average', values: [{ labels: {}, value }] },
  ];
  expect(await exposeMerged([lag(0.25), lag(0.75)])).toBe('# HELP lag Test.\n# TYPE lag gauge\nlag 0.5\n');
  expect(await exposeMerged([])).toBe('\n');
});

test('what one process has measured is the same when it is merged with nothing', async () => {
  const metrics = createPrometheusMetrics(quietLog);
  metrics.countRequest({ method: 'GET', route: '/a "b"\\c', status: 200, ms: 3 });
  const read = (await metrics.read()).filter(({ name }) => name.startsWith('reunite_'));
  expect(await exposeMerged([mergeMetrics([read, []])])).toBe(await exposeMerged([read]));
});

test('of a process that has ended, only what it had counted is left', async () => {
  const metrics = createPrometheusMetrics(quietLog);
  metrics.gauge({ name: 'sockets', help: 'Test.' }, () => 3);
  metrics.countRequest({ method: 'GET', route: '/a b', status: 200, ms: 3 });
  for (const counts of [countsOf(await metrics.read()), await metrics.readCounts()]) {
    const text = await exposeMerged([counts]);
    expect(valueIn(text, 'reunite_responses_total{method="GET",route="/a b",status="200"}')).toBe('1');
    expect(valueIn(text, 'reunite_request_duration_seconds_count{method="GET",route="/a b"}')).toBe('1');
    expect(Number(valueIn(text, 'process_cpu_seconds_total'))).toBeGreaterThan(0);
    expect(text).not.toMatch(/sockets|process_resident_memory_bytes|nodejs_eventloop_lag/);
  }
});

test('of event loops, the one that is late counts', async () => {
  const usual = await createPrometheusMetrics(quietLog).read();
  const late = usual.map((metric) =>
    metric.name === 'nodejs_eventloop_lag_p99_seconds' ? { ...metric, values: [{ labels: {}, value: 0.9 }] } : metric,
  );
  expect(valueIn(await exposeMerged([usual, late, usual]), 'nodejs_eventloop_lag_p99_seconds')).toBe('0.9');
});
