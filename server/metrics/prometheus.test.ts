import { expect, test } from 'vitest';
import { quietLog } from '#tests/support/quiet-log.ts';
import { countDeliveries } from './count-deliveries.ts';
import { exposeMerged } from './merge-metrics.ts';
import { createPrometheusMetrics } from './prometheus.ts';

const metrics = () => createPrometheusMetrics(quietLog);
const lines = async (exposed: Promise<string>, name: string) =>
  (await exposed).split('\n').filter((line) => line.startsWith(name));

test('requests are counted by route and status; a method that no route has counts as “other”', async () => {
  const { countRequest, expose } = metrics();
  countRequest({ method: 'GET', route: '/health/live', status: 200, ms: 3 });
  countRequest({ method: 'GET', route: '/health/live', status: 200, ms: 700 });
  countRequest({ method: 'PROPFIND', route: '/*', status: 404, ms: 1 });
  expect(await lines(expose(), 'reunite_responses_total')).toEqual([
    'reunite_responses_total{method="GET",route="/health/live",status="200"} 2',
    'reunite_responses_total{method="other",route="/*",status="404"} 1',
  ]);
  const buckets = await lines(expose(), 'reunite_request_duration_seconds_bucket{le="0.005",method="GET"');
  expect(buckets).toEqual(['reunite_request_duration_seconds_bucket{le="0.005",method="GET",route="/health/live"} 1']);
});

test('a gauge is read at each scrape, and forgets labels that are gone', async () => {
  const { gauge, expose } = metrics();
  let pools = [
    { labels: { pool: 'a' }, value: 1 },
    { labels: { pool: 'b' }, value: 2 },
  ];
  gauge({ name: 'pools', help: 'Test.', labels: ['pool'] }, () => pools);
  expect(await lines(expose(), 'pools')).toEqual(['pools{pool="a"} 1', 'pools{pool="b"} 2']);
  pools = [{ labels: { pool: 'b' }, value: 3 }];
  expect(await lines(expose(), 'pools')).toEqual(['pools{pool="b"} 3']);
});

test('a gauge that cannot be read is left out, and the others are there', async () => {
  const { gauge, counter, expose } = metrics();
  gauge({ name: 'broken', help: 'Test.' }, async () => {
    throw new Error('The database does not respond.');
  });
  counter({ name: 'counted_total', help: 'Test.', labels: ['way'] })({ way: 'email' });
  expect(await lines(expose(), 'broken')).toEqual([]);
  expect(await lines(expose(), 'counted')).toEqual(['counted_total{way="email"} 1']);
});

test('a count that another part keeps is read at each scrape, and is one of those that go on after a restart', async () => {
  const { tally, expose, readCounts } = metrics();
  let reads = 1;
  tally({ name: 'reads_total', help: 'Test.', labels: ['by'] }, () => [{ labels: { by: 'standby' }, value: reads }]);
  expect(await lines(expose(), 'reads_total')).toEqual(['reads_total{by="standby"} 1']);
  reads = 3;
  expect(await lines(expose(), 'reads_total')).toEqual(['reads_total{by="standby"} 3']);
  expect(await exposeMerged([await readCounts()])).toContain('reads_total{by="standby"} 3');
});

test('what is counted is there from the start, so that a rule can compare what failed with what did not', async () => {
  const { counter, expose } = metrics();
  const delivery = { hasSms: false, sendEmail: () => Promise.reject(new Error('Refused.')), sendSms: async () => {} };
  const counted = countDeliveries(delivery, { counter });
  await expect(counted.sendEmail({ to: 'olive@example.com', subject: '', text: '' })).rejects.toThrow('Refused.');
  expect((await lines(expose(), 'reunite_deliveries_total')).sort()).toEqual([
    'reunite_deliveries_total{way="email",outcome="accepted"} 0',
    'reunite_deliveries_total{way="email",outcome="failed"} 1',
  ]);
});
