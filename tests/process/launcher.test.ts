import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isLongRun } from '#tests/support/long-runs.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { prepareData } from '#tests/support/prepared-data/prepared-data.ts';
import { START_WITHIN_MS } from '#tests/support/service-process.ts';
import { THROW_AWAY_PLACE } from '#tests/support/throw-away-place.ts';

const root = resolve(import.meta.dirname, '../..');

interface Launched {
  readonly launcher: ChildProcess;
  readonly url: string;
  readonly printed: () => string;
}

/** `npm start` or `npm run dev` without npm, on its own data folder. */
const launch = (...flags: string[]) => launchBy(process.execPath, join(root, 'tools/start.mjs'), ...flags);

async function launchBy(program: string, ...words: string[]): Promise<Launched> {
  const folder = await mkdtemp(join(THROW_AWAY_PLACE, 'reunite-launcher-'));
  await prepareData(folder);
  const port = await ownPort();
  const launcher = spawn(program, words, {
    cwd: root,
    // A process group of its own, so that all of it can be ended in any case.
    detached: true,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIRECTORY: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const read = (chunk: Buffer) => {
    text += chunk.toString('utf8');
  };
  launcher.stdout?.on('data', read);
  launcher.stderr?.on('data', read);
  onTestFinished(async () => {
    const exited = launcher.exitCode === null && launcher.signalCode === null ? once(launcher, 'exit') : null;
    launcher.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  return { launcher, url: `http://localhost:${port}`, printed: () => text };
}

const timesReady = (text: string) => text.split(' is ready at ').length - 1;
const responses = (url: string) =>
  fetch(`${url}/health/ready`).then(
    ({ status }) => status,
    () => null,
  );

test('a start with nothing changed installs and builds nothing, and says one line', async () => {
  const before = await launch();
  await expect.poll(() => timesReady(before.printed()), { timeout: START_WITHIN_MS }).toBe(1);
  const { url, printed } = await launch();
  await expect.poll(() => timesReady(printed()), { timeout: START_WITHIN_MS }).toBe(1);
  expect(printed()).toBe(`Reunite is ready at ${url} (every email and SMS is kept at ${url}/dev/outbox)\n`);
  expect(await responses(url)).toBe(200);
  // The bundle finds the files beside it: the pages and their assets.
  expect(await (await fetch(url)).text()).toContain('Never lose your belongings again');
});

test('a killed launcher stops its server', async () => {
  const { launcher, url, printed } = await launch();
  await expect.poll(() => timesReady(printed()), { timeout: START_WITHIN_MS }).toBe(1);
  launcher.kill('SIGKILL');
  await expect.poll(() => responses(url)).toBeNull();
});

test('a signal to npm alone stops the server that it started', async () => {
  const { launcher, url, printed } = await launchBy('npm', 'start');
  await expect.poll(() => timesReady(printed()), { timeout: START_WITHIN_MS }).toBe(1);
  launcher.kill('SIGTERM');
  await expect.poll(() => responses(url)).toBeNull();
});

test.runIf(isLongRun)(
  'npm run dev: a change of the server starts it again, a change of the page reaches the browser',
  async () => {
    const { url, printed } = await launch('--dev');
    await expect.poll(() => timesReady(printed()), { timeout: START_WITHIN_MS }).toBe(1);
    expect(await (await fetch(url)).text()).toContain('Never lose your belongings again');

    // Updating the times is a change for the watcher but not for the checkout. Repeated, in case the watcher starts late.
    const save = (file: string) => utimes(join(root, file), new Date(), new Date());
    await expect
      .poll(() => save('app/routes/landing.tsx').then(printed), { interval: 1_000 })
      .toMatch(/\[vite\].*(hmr update|page reload).*landing\.tsx/);
    expect(timesReady(printed())).toBe(1);

    await save('server/log/log.ts');
    await expect.poll(() => timesReady(printed()), { timeout: START_WITHIN_MS }).toBe(2);
    expect(await responses(url)).toBe(200);
  },
);
