import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readRunning } from '#server/data-folder/running-file.ts';
import { STOP_DRAIN } from '#server/start/stop-in-order.ts';
import { rounds } from '#tests/support/long-runs.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { childrenOf } from '#tests/support/processes.ts';
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  START_WITHIN_MS,
  startServiceProcess,
} from '#tests/support/service-process.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { beginSignUp } from './begin-sign-up.ts';

const PROCESSES = 2;
const PATIENTLY = { timeout: START_WITHIN_MS };
const folder = await preparedFolder();
const metricsPort = await ownPort();

async function start(options: Pick<ServiceProcessOptions, 'onSpawn' | 'port'> = {}): Promise<ServiceProcess> {
  const started = await startServiceProcess({
    ...options,
    dataDirectory: folder,
    environment: { WEB_PROCESSES: String(PROCESSES), METRICS_PORT: String(metricsPort), LOG_LEVEL: 'info' },
  });
  whenDone(() => started.end('SIGKILL'));
  return started;
}

/** The process ids that the supervisor has logged as serving, in the order of their starts. */
function served({ output }: ServiceProcess): { process: number; pid: number; time: string }[] {
  const lines = output().split('\n');
  return lines.flatMap((line) => (line.includes('"A process serves."') ? [JSON.parse(line)] : []));
}

/** Those of them that have not ended. */
function serving(service: ServiceProcess) {
  return served(service).filter(({ pid }) => isRunning(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Sends requests over eight connections that are kept, until it is stopped. */
function sendRequests(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const found = { succeeded: 0, failures: [] as string[] };
  let stopped = false;
  const one = () =>
    new Promise<void>((resolve) => {
      const fail = (how: unknown) => {
        found.failures.push(String(how));
        resolve();
      };
      const request = get(`${url}/health/ready`, { agent }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 200) found.succeeded += 1;
          else fail(response.statusCode);
          resolve();
        });
      });
      request.once('error', fail);
    });
  const sending = Array.from({ length: 8 }, async () => {
    // Processes start beside it.
    while (!stopped) {
      await one();
      await pause(10);
    }
  });
  return {
    found,
    async stop() {
      stopped = true;
      await Promise.all(sending);
      agent.destroy();
      return found;
    },
  };
}

/** Reads the metrics. Returns the value of a series of them. */
async function scrape(): Promise<(series: string) => number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return (series) => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1));
  };
}

/** What the metrics say about the processes themselves. */
async function processes(): Promise<Record<'wanted' | 'serving' | 'responding' | 'ends', number>> {
  const value = await scrape();
  const count = (state: string) => value(`reunite_processes{state="${state}"}`);
  return {
    wanted: count('wanted'),
    serving: count('serving'),
    responding: count('responding'),
    ends: value('reunite_process_ends_total'),
  };
}

/** Resolves when a connection to the port is accepted, with the time. */
async function firstAccepted(port: number): Promise<Date> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isAccepted = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isAccepted) return new Date();
    await pause(5);
  }
}

const port = await ownPort();
const accepted = firstAccepted(port);
// At the top of the file, so that `whenDone` ends it also where only some of the tests run.
const service = await start({ port });

test('connections are accepted once all processes serve', async () => {
  await expect.poll(() => served(service).length).toBe(PROCESSES);
  const at = await accepted;
  for (const { time } of served(service)) expect(at.getTime()).toBeGreaterThanOrEqual(Date.parse(time));
});

test('all processes serve one address, and their metrics are summed', async () => {
  // The log is written a little later.
  await expect.poll(() => served(service).map(({ process }) => process)).toEqual([1, 2]);
  expect(await readRunning(folder)).toEqual({ url: service.url, pid: service.child.pid });
  for (let count = 0; count < 10; count += 1) {
    await fetch(`${service.url}/health/live`, { headers: { Connection: 'close' } });
  }
  const { publishableKey } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'));
  const address = `${service.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=1.0.0`;
  const sockets = Array.from({ length: 4 }, () => new WebSocket(address));
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(text).toMatch(/^reunite_responses_total\{method="GET",route="\/health\/live",status="200"\} 10$/m);
  expect(text).toMatch(/^reunite_sockets 4$/m);
  for (const socket of sockets) socket.close();
  // What both have in common is not doubled.
  expect(text).toMatch(/^reunite_build_info\{.*\} 1$/m);
  expect(text).toMatch(/^reunite_jobs_due 0$/m);
  expect(await processes()).toEqual({ wanted: 2, serving: 2, responding: 2, ends: 0 });
});

test('a load balancer may ask without a Host header', async () => {
  const socket = connect(Number(new URL(service.url).port), 'localhost');
  socket.write('GET /health/ready HTTP/1.0\r\n\r\n');
  const [chunk] = await once(socket, 'data');
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

test('a process that is killed is replaced, and the other one goes on', async () => {
  const before = served(service).length;
  const requests = sendRequests(service.url);
  await expect.poll(() => requests.found.succeeded).toBeGreaterThan(50);
  const [victim] = serving(service);
  if (victim === undefined) throw new Error('There is one.');
  process.kill(victim.pid, 'SIGKILL');
  await expect.poll(() => served(service).length, PATIENTLY).toBe(before + 1);
  const after = requests.found.succeeded;
  await expect.poll(() => requests.found.succeeded).toBeGreaterThan(after + 50);
  const { failures } = await requests.stop();
  // At most one request for each connection that it had.
  expect(failures.length).toBeLessThanOrEqual(8);
  expect(served(service).at(-1)).toMatchObject({ process: victim.process });
});

test('while no process serves, the metrics say so', async () => {
  await expect.poll(() => serving(service).length, PATIENTLY).toBe(PROCESSES);
  const { ends } = await processes();
  for (const { pid } of serving(service)) process.kill(pid, 'SIGKILL');
  await expect
    .poll(processes, { interval: 10 })
    .toEqual({ wanted: PROCESSES, serving: 0, responding: 0, ends: ends + PROCESSES });
  await expect.poll(processes, PATIENTLY).toMatchObject({ serving: PROCESSES, responding: PROCESSES });
});

test('a process that hangs gets one connection, and the others are served', async () => {
  // The log is written a little later than the metrics say so.
  await expect.poll(() => serving(service).length, PATIENTLY).toBe(PROCESSES);
  const [victim] = serving(service);
  if (victim === undefined) throw new Error('There is one.');
  const before = served(service).length;
  process.kill(victim.pid, 'SIGSTOP');
  const statuses: number[] = [];
  const lost = new AbortController();
  const requests = Array.from({ length: 6 }, async () => {
    const { status } = await fetch(`${service.url}/health/live`, {
      headers: { Connection: 'close' },
      signal: lost.signal,
    });
    statuses.push(status);
  });
  const settled = Promise.allSettled(requests);
  await expect.poll(() => statuses).toEqual(Array(5).fill(200));
  expect(await processes()).toMatchObject({ serving: PROCESSES, responding: PROCESSES - 1 });
  process.kill(victim.pid, 'SIGKILL');
  // It has the connection that it had been given (https://github.com/nodejs/node/issues/3551).
  lost.abort();
  await settled;
  await expect.poll(() => served(service).length, PATIENTLY).toBe(before + 1);
  // A scrape does not wait for the killed one, which would take 2 s.
  const duration = async () => {
    const startedAt = performance.now();
    await scrape();
    return performance.now() - startedAt;
  };
  await expect.poll(duration).toBeLessThan(1_500);
});

test('a process that hangs is killed after half a minute', async () => {
  const [victim] = serving(service);
  if (victim === undefined) throw new Error('There is one.');
  process.kill(victim.pid, 'SIGSTOP');
  await expect.poll(() => isRunning(victim.pid), PATIENTLY).toBe(false);
  await expect.poll(() => serving(service).length, PATIENTLY).toBe(PROCESSES);
});

test('one address with thousands of connections that wait does not shut out another one [K1]', async () => {
  await expect.poll(() => serving(service).length, PATIENTLY).toBe(PROCESSES);
  const stopped = serving(service);
  const resume = () => {
    for (const { pid } of stopped.filter(({ pid }) => isRunning(pid))) process.kill(pid, 'SIGCONT');
  };
  onTestFinished(resume);
  for (const { pid } of stopped) process.kill(pid, 'SIGSTOP');
  const port = Number(new URL(service.url).port);
  const stranger: Socket[] = [];
  onTestFinished(() => {
    for (const socket of stranger) socket.destroy();
  });
  while (stranger.length < 2_100) {
    // Fewer than the kernel keeps until a busy program accepts them (511). It drops the others, which try again for half
    // a minute.
    const next = Array.from({ length: 100 }, () => connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2' }));
    stranger.push(...next);
    for (const socket of next) socket.on('error', () => undefined);
    await Promise.all(next.map((socket) => once(socket, 'connect')));
  }
  const asked = fetch(`http://127.0.0.1:${port}/health/live`, { headers: { Connection: 'close' } });
  resume();
  expect((await asked).status).toBe(200);
});

/** What the metrics say about requests to `/health/live`, and the CPU time of all processes. */
async function counts() {
  const value = await scrape();
  const route = '{method="GET",route="/health/live"}';
  return {
    responses: value('reunite_responses_total{method="GET",route="/health/live",status="200"}'),
    durations: value(`reunite_request_duration_seconds_count${route}`),
    seconds: value('process_cpu_seconds_total'),
    sockets: value('reunite_sockets'),
  };
}

test('counts go on where processes are replaced or killed, and none is lost or counted twice', async () => {
  const ask = () => fetch(`${service.url}/health/live`, { headers: { Connection: 'close' } });
  await Promise.all(Array.from({ length: 20 }, ask));
  const before = await counts();
  const startsBefore = served(service).length;
  service.child.kill('SIGHUP');
  // Also while one stops and another has taken its place.
  const during: number[] = [];
  await expect
    .poll(async () => {
      during.push((await counts()).responses);
      return served(service).length - startsBefore;
    }, PATIENTLY)
    .toBe(PROCESSES);
  await expect.poll(() => serving(service).length, PATIENTLY).toBe(PROCESSES);
  expect(new Set(during)).toEqual(new Set([before.responses]));
  await ask();
  expect(await counts()).toMatchObject({
    responses: before.responses + 1,
    durations: before.durations + 1,
    sockets: 0,
  });
  expect((await counts()).seconds).toBeGreaterThan(before.seconds);

  const [victim] = serving(service);
  if (victim === undefined) throw new Error('There is one.');
  process.kill(victim.pid, 'SIGKILL');
  await expect.poll(() => isRunning(victim.pid)).toBe(false);
  expect((await counts()).responses).toBe(before.responses + 1);
  await expect.poll(() => serving(service).length, PATIENTLY).toBe(PROCESSES);
  expect((await counts()).responses).toBe(before.responses + 1);
});

test('what a process sends too late for one scrape is in the next one', async () => {
  await expect.poll(() => serving(service).length, PATIENTLY).toBe(PROCESSES);
  const [victim] = serving(service);
  if (victim === undefined) throw new Error('There is one.');
  const before = await counts();
  for (let count = 0; count < 2 * PROCESSES; count += 1) {
    await fetch(`${service.url}/health/live`, { headers: { Connection: 'close' } });
  }
  process.kill(victim.pid, 'SIGSTOP');
  onTestFinished(() => void (isRunning(victim.pid) && process.kill(victim.pid, 'SIGCONT')));
  expect(await processes()).toMatchObject({ responding: PROCESSES - 1 });
  process.kill(victim.pid, 'SIGCONT');
  await expect.poll(processes).toMatchObject({ responding: PROCESSES });
  expect((await counts()).responses).toBe(before.responses + 2 * PROCESSES);
});

test('SIGHUP replaces every process, and no request is refused', async () => {
  const requests = sendRequests(service.url);
  await expect.poll(() => requests.found.succeeded).toBeGreaterThan(50);
  for (const _ of rounds(1, 50)) {
    const before = served(service);
    service.child.kill('SIGHUP');
    await expect.poll(() => served(service).length, PATIENTLY).toBe(before.length + PROCESSES);
    await expect.poll(() => before.filter(({ pid }) => isRunning(pid))).toEqual([]);
  }
  const after = requests.found.succeeded;
  await expect.poll(() => requests.found.succeeded).toBeGreaterThan(after + 50);
  expect((await requests.stop()).failures).toEqual([]);
});

test('an upload that takes longer than other requests gets its response from the process that SIGHUP replaces [K61]', async () => {
  const logged = () => service.output().split('All processes were restarted.').length;
  const before = logged();
  const uploads = await Promise.all(Array.from({ length: PROCESSES }, () => beginSignUp(service)));
  service.child.kill('SIGHUP');
  await pause(STOP_DRAIN.requestsMs + 2_000);
  for (const { finish } of uploads) finish();
  for (const { heard } of uploads) await expect.poll(heard).toMatch(/^HTTP\/1\.1 200 /);
  await expect.poll(logged, PATIENTLY).toBe(before + 1);
});

test('a process that is killed while SIGHUP replaces it leaves none too many', async () => {
  const logged = (message: string) => service.output().split(message).length - 1;
  const finished = () => logged('All processes were restarted.');
  const begun = () => logged('Restarting the processes');
  // The restart of the test before.
  await expect.poll(finished, PATIENTLY).toBe(begun());
  const before = begun();
  const victim = serving(service).find(({ process }) => process === 1);
  if (victim === undefined) throw new Error('There is one.');
  service.child.kill('SIGHUP');
  await expect.poll(begun).toBe(before + 1);
  process.kill(victim.pid, 'SIGKILL');
  await expect.poll(finished, PATIENTLY).toBe(before + 1);
  expect(serving(service).map(({ process }) => process)).toEqual([1, 2]);
});

test('a process that starts while SIGHUP arrives, which may have read the files of before, is replaced too', async () => {
  const logged = (message: string) => service.output().split(message).length - 1;
  const finished = () => logged('All processes were restarted.');
  // The restart of the test before.
  await expect.poll(finished, PATIENTLY).toBe(logged('Restarting the processes'));
  const before = finished();
  const children = () => childrenOf(service.child.pid ?? expect.unreachable());
  const known = children();
  const victim = serving(service).find(({ process }) => process === 1);
  if (victim === undefined) throw new Error('There is one.');
  process.kill(victim.pid, 'SIGKILL');
  const begun = () => children().find((child) => !known.includes(child));
  await expect.poll(begun, { interval: 5 }).toBeDefined();
  const replacement = begun();
  service.child.kill('SIGHUP');
  await expect.poll(finished, PATIENTLY).toBe(before + 1);
  expect(serving(service).map(({ pid }) => pid)).not.toContain(replacement);
  expect(serving(service).map(({ process }) => process)).toEqual([1, 2]);
});

test('a process that hangs at its start is killed, and the ones before go on', async () => {
  const before = serving(service);
  const children = () => childrenOf(service.child.pid ?? expect.unreachable());
  const known = children();
  service.child.kill('SIGHUP');
  await expect
    .poll(() => {
      const pid = children().find((child) => !known.includes(child));
      if (pid !== undefined) process.kill(pid, 'SIGSTOP');
      return pid;
    })
    .toBeDefined();
  await expect
    .poll(() => service.output(), PATIENTLY)
    .toContain('The new process did not start; the ones before go on.');
  expect(service.output()).toContain('A process hangs; it is killed.');
  expect(serving(service)).toEqual(before);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
});

test('SIGTERM finishes requests in progress, and ends every process', async () => {
  const pids = served(service).map(({ pid }) => pid);
  expect(await service.end('SIGTERM')).toBe(0);
  expect(pids.filter(isRunning)).toEqual([]);
  await expect(fetch(`${service.url}/health/live`)).rejects.toThrow();
  expect(await readRunning(folder)).toBeNull();
});

test('SIGHUP during the start restarts the processes when all of them serve', async () => {
  let signaled: Promise<void> | undefined;
  const started = await start({
    onSpawn(child) {
      const isLaunched = () => access(join(folder, 'postgres/postmaster.pid')).then(() => child.kill('SIGHUP'));
      signaled = expect.poll(isLaunched, { interval: 5, ...PATIENTLY }).toBe(true);
    },
  });
  await signaled;
  await expect.poll(started.output, PATIENTLY).toContain('All processes were restarted.');
  expect(served(started)).toHaveLength(2 * PROCESSES);
  expect(await started.end('SIGTERM')).toBe(0);
});

test('kill -9 of the supervisor leaves no process that serves', async () => {
  const killed = await start();
  onTestFinished(() => void killed.end('SIGKILL'));
  await expect.poll(() => served(killed)).toHaveLength(PROCESSES);
  const pids = served(killed).map(({ pid }) => pid);
  await killed.end('SIGKILL');
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  await expect(fetch(`${killed.url}/health/live`)).rejects.toThrow();
});
