import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { STOP_DRAIN } from '#server/start/stop-in-order.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { isLongRun } from '#tests/support/long-runs.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { type ServiceProcess, START_WITHIN_MS, startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { beginSignUp, open } from './begin-sign-up.ts';

const folder = await preparedFolder();

async function start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess({ dataDirectory: folder, environment });
  onTestFinished(() => void service.end('SIGKILL'));
  return service;
}

async function databaseIsStopped(): Promise<boolean> {
  const pid = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => null);
  return pid === null;
}

test.each(isLongRun ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))(
  '%s: open requests are finished, new ones are refused, and the database is stopped [J61]',
  async (signal) => {
    const service = await start();
    const request = await beginSignUp(service);
    const ended = service.end(signal);
    // A terminal's Ctrl-C arrives twice: from the terminal, and through the launcher.
    service.child.kill(signal);
    await expect.poll(() => fetch(`${service.url}/health/live`).catch(() => 'refused')).toBe('refused');
    request.finish();
    expect(await ended).toBe(0);
    expect(request.heard()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await databaseIsStopped()).toBe(true);
  },
);

test.runIf(isLongRun)('a stop lets a body arrive that takes longer than other requests [K61]', async () => {
  const service = await start();
  const request = await beginSignUp(service);
  const ended = service.end('SIGTERM');
  await pause(STOP_DRAIN.requestsMs + 2_000);
  request.finish();
  expect(await ended).toBe(0);
  expect(request.heard()).toMatch(/^HTTP\/1\.1 200 /);
  expect(await databaseIsStopped()).toBe(true);
});

test('a signal during the start is heeded when the server has started, and the database is stopped in order', async () => {
  let signaled: Promise<void> | undefined;
  const service = await startServiceProcess({
    dataDirectory: folder,
    onSpawn(child) {
      signaled = expect
        .poll(databaseIsStopped, { interval: 5, timeout: START_WITHIN_MS })
        .toBe(false)
        .then(() => void child.kill('SIGTERM'));
    },
  });
  onTestFinished(() => void service.end('SIGKILL'));
  await signaled;
  await once(service.child, 'exit');
  expect(service.child.exitCode).toBe(0);
  expect(await databaseIsStopped()).toBe(true);
});

test('a request to upgrade to an unknown protocol gets a normal response, and delays no stop', () =>
  inSomeAttempt(async () => {
    const service = await start();
    const { socket, heard } = await open(service);
    socket.write(
      'GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n',
    );
    await expect.poll(heard).toContain('{"status":"live"}');
    const stoppedAt = Date.now();
    expect(await service.end('SIGTERM')).toBe(0);
    // Open requests have ten seconds.
    expect(Date.now() - stoppedAt).toBeLessThan(9_000);
  }));

test('a killed server leaves its compile cache for the next one', async () => {
  const compiled = await temporaryFolder();
  const service = await start({ NODE_COMPILE_CACHE: compiled });
  await expect.poll(() => readdir(compiled, { recursive: true }).then(({ length }) => length)).toBeGreaterThan(300);
  await service.end('SIGKILL');
});

test('a port that is in use is named, and the database that was started for it is stopped', async () => {
  const taken = createServer();
  const port = await ownPort();
  taken.listen(port, 'localhost');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  await expect(startServiceProcess({ dataDirectory: folder, port })).rejects.toThrow(
    new RegExp(`The server ended with 1:\\nPort ${port} is in use by another program\\.`),
  );
  expect(await databaseIsStopped()).toBe(true);
});

test('a second start on the same data says so, and the first goes on', async () => {
  const service = await start();
  await expect(startServiceProcess({ dataDirectory: folder })).rejects.toThrow(
    /The server ended with 1:\nAnother server .* is already running on the data in /,
  );
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  expect(await service.end('SIGTERM')).toBe(0);
});

test.each([
  [{ HOST: '192.0.2.1' }, 'HOST must be an address of this machine; 192.0.2.1 is not.'],
  [{ JWT_KEYS: '{"keys":[]}' }, 'JWT_KEYS must be a JSON Web Key Set of ES256 private keys'],
  [{ JWT_KEYS: '{"a":1}' }, 'JWT_KEYS must be a JSON Web Key Set of ES256 private keys'],
  [{ NODE_ENV: 'production', PUBLIC_URL: 'lost.example.org' }, 'PUBLIC_URL must be an address such as'],
  [{ NODE_ENV: 'production', DEV_TEST_OTP: '123456' }, 'DEV_TEST_OTP is a development aid'],
  [{ NODE_ENV: 'production', DATABASE_URL: 'postgres://db.invalid' }, 'JWT_KEYS is missing'],
])('a start with %o ends with one sentence and no stack trace', async (environment, sentence) => {
  const failure = await startServiceProcess({ dataDirectory: folder, environment }).then(
    () => 'It started.',
    (error: Error) => error.message,
  );
  expect(failure).toContain(sentence);
  expect(failure).not.toMatch(/^ {4}at /m);
});
