import { Counter, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { formatMetrics } from './merge-metrics.ts';
import { countRequests } from './request-counts.ts';

/** The same metrics by the library that has all others. */
function countByLibrary() {
  const registers = [new Registry()] as const;
  const durations = new Histogram({
    name: 'reunite_request_duration_seconds',
    help: 'Time until a response began, with the arrival of what the request sent, by route.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [...registers],
  });
  const responses = new Counter({
    name: 'reunite_responses_total',
    help: 'Responses, by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [...registers],
  });
  return {
    count(method: string, route: string, status: number, ms: number) {
      durations.observe({ method, route }, ms / 1000);
      responses.inc({ method, route, status: String(status) });
    },
    read: () => registers[0].metrics(),
  };
}

test('requests are written as prom-client writes them, also after some of them were written before', async () => {
  const [own, library] = [countRequests(), countByLibrary()];
  const lines = (text: string) => text.split('\n').sort();
  expect(formatMetrics(own.read())).toBe(await library.read());
  for (const route of ['/', '/item/:code{tgt-[^/"]+\\.txt}', '/two\nlines']) {
    for (const [method, status, ms] of [
      ['GET', 200, 0.4],
      ['GET', 200, 1],
      ['POST', 200, 2.5],
      ['GET', 404, 30_000],
      ['GET', 200, 30_000.1],
      ['POST', 503, 1e7 / 3],
    ] as const) {
      own.count({ method, route, status, ms });
      library.count(method, route, status, ms);
    }
    expect(lines(formatMetrics(own.read()))).toEqual(lines(await library.read()));
  }
});
