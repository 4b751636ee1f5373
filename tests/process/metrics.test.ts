import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownPort } from '#tests/support/own-port.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { whenDone } from '#tests/support/when-done.ts';

const metricsPort = await ownPort();
const service = await startServiceProcess({
  dataDirectory: await preparedFolder(),
  environment: {
    METRICS_PORT: String(metricsPort),
    BACKUP_SCHEDULE: 'daily 03:30',
    BACKUP_TO: await temporaryFolder(),
  },
});
whenDone(() => service.end('SIGTERM'));
const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

test('metrics are on a port of their own: by route and status, of each part, and without any code or query of a user', async () => {
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

test('the alert rules and the documents name the metrics that there are, and no other', async () => {
  const text = await scrape();
  const measured = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
  // Only with several processes. `several-processes.test.ts` looks at them.
  const elsewhere = ['reunite_processes', 'reunite_process_ends_total'];
  const named = async (path: string, name: RegExp) =>
    [...(await readFile(join(import.meta.dirname, '../..', path), 'utf8')).matchAll(name)].map(([found]) => found);
  const inRules = await named('deploy/alerts.yaml', /\b(reunite|nodejs)_[a-z0-9_]+/g);
  expect(
    inRules
      .map((name) => name.replace(/_bucket$/, ''))
      .filter((name) => !measured.has(name) && !elsewhere.includes(name)),
  ).toEqual([]);
  const described = new Set(await named('docs/operate/metrics.md', /(?<=^\| `)reunite_[a-z_]+/gm));
  for (const name of elsewhere) expect(described.delete(name)).toBe(true);
  expect([...described].sort()).toEqual([...measured].filter((name) => name.startsWith('reunite_')).sort());
  // A rule compares what failed with what did not: both are there before anything was sent.
  expect(text).toMatch(/^reunite_deliveries_total\{way="email",outcome="accepted"\} 0$/m);
  expect(text).toMatch(/^reunite_deliveries_total\{way="email",outcome="failed"\} 0$/m);
});

/** Sends a request as it is, which no client library would send. Resolves with the first line of the response. */
async function sendRaw(head: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), 'localhost');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
  });
  await once(socket, 'close');
  return received.split('\r\n', 1)[0] ?? '';
}

/** One request of each kind that a stranger can vary, in a way that no other has been. */
function variedRequests(): string[] {
  const word = () => randomBytes(6).toString('hex');
  const long = word().repeat(500);
  const methods = ['PROPFIND', 'REPORT', 'M-SEARCH', 'QUERY', 'TRACE', 'GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'];
  const prefixes = [
    '',
    '/item',
    '/auth',
    '/auth/v1',
    '/auth/v1/token',
    '/rest/v1',
    '/rest/v1/rpc',
    '/storage/v1/object',
  ];
  return [
    ...methods.flatMap((method) =>
      prefixes.map((prefix) => `${method} ${prefix}/${word()} HTTP/1.1\r\nHost: localhost`),
    ),
    ...prefixes.map((prefix) => `GET ${prefix}/${long} HTTP/1.1\r\nHost: localhost`),
    ...prefixes.map(
      (prefix) => `GET ${prefix}/${word()}/${word()}/${word()}?${word()}=${word()} HTTP/1.1\r\nHost: localhost`,
    ),
    `GET / HTTP/1.1\r\nHost: ${word()}.example`,
    `GET http://${word()}.example/${word()} HTTP/1.1\r\nHost: ${word()}.example`,
    `GET /${word()} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Host: ${word()}\r\nX-Forwarded-For: ${word()}`,
    `GET /${word()} HTTP/1.1\r\nHost: localhost\r\napikey: ${word()}\r\nUser-Agent: ${word()}\r\nOrigin: http://${word()}`,
    `${word().toUpperCase()} / HTTP/1.1\r\nHost: localhost`,
  ];
}

test('new paths, methods, hosts, and headers add no series, and the metrics stay small', async () => {
  const send = async () => {
    for (const request of variedRequests()) expect(await sendRaw(request), request).toMatch(/^HTTP\/1\.1 [2345]\d\d /);
  };
  /** Our own, without their values and statuses: Node's follow its own work, and there are few statuses. */
  const series = async () => {
    const lines = (await scrape()).split('\n').filter((line) => line.startsWith('reunite_'));
    return [...new Set(lines.map((line) => line.replace(/ \S+$/, '').replace(/status="\d{3}"/, '')))].sort();
  };
  await send();
  const before = await series();
  for (let round = 0; round < 5; round += 1) await send();
  expect(await series()).toEqual(before);
  expect((await scrape()).length).toBeLessThan(150_000);
});
