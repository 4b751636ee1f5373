import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { PostgresLog } from '#server/postgres/embedded/postgres-log.ts';
import { hasEnded, postgresProcessesIn, signal } from '#server/postgres/embedded/processes.ts';
import { childrenOf } from '#tests/support/processes.ts';
import { keepingLog } from '#tests/support/quiet-log.ts';
import { ask, emptyFolder, expectSeven, keepSeven, newFolder, postmasterOf, start } from './engine-folder.ts';

test('a PostgreSQL that dies by itself is started again each time, at the same address, and the log says so [I56]', async () => {
  const folder = await newFolder();
  const log = keepingLog();
  const { address } = await start(folder, log);
  await keepSeven(address);
  for (let deaths = 1; deaths <= 3; deaths += 1) {
    process.kill(await postmasterOf(folder), 'SIGKILL');
    const died = () =>
      log.lines.filter(({ level, message }) => level === 'error' && /ended unexpectedly/.test(message));
    await expect.poll(() => died().length).toBe(deaths);
    await expectSeven(address);
  }
});

test('a stop during a restart is final, also for a child that hangs', async () => {
  const folder = await newFolder();
  const engine = await start(folder);
  const postmaster = await postmasterOf(folder);
  for (const pid of childrenOf(postmaster).slice(0, 1)) signal(pid, 'SIGSTOP');
  process.kill(postmaster, 'SIGKILL');
  await hasEnded(postmaster, 10_000);
  await engine.stop();
  expect(postgresProcessesIn(join(folder, 'postgres'))).toEqual([]);
  await expect(ask(engine.address, 'select 1')).rejects.toThrow(/ECONNREFUSED|ENOENT/);
  // And the folder is free.
  await start(folder);
});

test('a stop does not wait for connected clients, and a second stop has no effect', async () => {
  const folder = await newFolder();
  const engine = await start(folder);
  const client = new Client(engine.address);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query('create table unfinished ()');
  const startedAt = performance.now();
  await Promise.all([engine.stop(), engine.stop()]);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  await expect(stat(join(folder, 'postgres/postmaster.pid'))).rejects.toThrow(/ENOENT/);
  const again = await start(folder);
  await expect(ask(again.address, 'select from unfinished')).rejects.toThrow(/does not exist/);
});

test('a stop during a crash recovery ends in time', async () => {
  const folder = await newFolder();
  const engine = await start(folder);
  await keepSeven(engine.address);
  for (const pid of childrenOf(await postmasterOf(folder))) signal(pid, 'SIGKILL');
  const printed = join(folder, 'postgres.log');
  await expect.poll(() => readFile(printed, 'utf8'), { interval: 1 }).toMatch(/reinitializing/);
  const startedAt = performance.now();
  await engine.stop();
  expect(performance.now() - startedAt).toBeLessThan(14_000);
  await expectSeven((await start(folder)).address);
});

test('what PostgreSQL prints is kept over restarts, and never grows beyond two files of 4 MiB', async () => {
  const folder = await emptyFolder();
  const log = new PostgresLog(join(folder, 'postgres.log'));
  await writeFile(log.path, 'x'.repeat(4 * 1024 * 1024 - 10));
  const first = await log.open(null);
  const before = await log.length();
  await first.write('the first one says why it ended\n');
  expect(await log.wordsSince(before)).toBe('the first one says why it ended');
  const second = await log.open(null);
  await first.write('an old writer\n');
  await second.write('a new one\n');
  expect(await log.wordsSince(0)).toBe('an old writer\na new one');
  expect((await stat(`${log.path}.1`)).size).toBeGreaterThan(4 * 1024 * 1024);
  await Promise.all([first.close(), second.close()]);
  log.close();
});
