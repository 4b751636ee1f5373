import { expect, test } from 'vitest';
import { ownPort } from '#tests/support/own-port.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { whenDone } from '#tests/support/when-done.ts';

test('metrics are on a port of their own: by route and status, of each part, and without any code or query of a user', async () => {
  const metricsPort = await ownPort();
  const service = await startServiceProcess({
    dataDirectory: await preparedFolder(),
    environment: { METRICS_PORT: String(metricsPort) },
  });
  whenDone(() => service.end('SIGTERM'));
  const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

  // As hostile as a path, a query, or a method can be.
  const hostile = [
    '/tgt-a-code-of-someone-1',
    '/item/tgt-a-code-of-someone-1',
    '/%00%ff',
    '/auth/v1/verify?token=a-secret-token',
  ];
  for (let round = 0; round < 50; round += 1) {
    for (const path of [...hostile, `/nothing-${round}`, `/rest/v1/table_${round}`])
      await fetch(`${service.url}${path}`);
  }
  await fetch(`${service.url}/health/live`);
  const text = await scrape();
  expect(text).toMatch(/^reunite_responses_total\{method="GET",route="\/health\/live",status="200"\} 1$/m);
  for (const name of [
    'reunite_request_duration_seconds_bucket',
    'reunite_database_connections{pool="callers",state="busy"}',
    'reunite_database_waiting{pool="service"}',
    'reunite_jobs_due',
    'reunite_jobs_oldest_due_seconds',
    'reunite_sockets',
    'reunite_passwords_waiting',
    'reunite_page_cache_bytes',
    'reunite_item_lookups_total{result="miss"}',
    'reunite_build_info{',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    expect(text, name).toContain(`\n${name}`);
  }
  expect(text).not.toMatch(/a-code-of-someone|a-secret-token|nothing-|table_/);
  expect(text.match(/^reunite_responses_total/gm)?.length).toBeLessThan(20);

  // Only there, and only to read.
  const elsewhere = await fetch(`${service.url}/metrics`);
  expect(await elsewhere.text()).not.toContain('reunite_responses_total');
  const posted = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
});
