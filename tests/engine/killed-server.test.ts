import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { hasEnded, isAlive, signal } from '#server/postgres/embedded/processes.ts';
import { childrenOf, killWithChildren } from '#tests/support/processes.ts';
import { keepingLog } from '#tests/support/quiet-log.ts';
import {
  afterThis,
  expectSeven,
  holdRunning,
  isLinux,
  keepSeven,
  killed,
  newFolder,
  postmasterOf,
  start,
} from './engine-folder.ts';

test('when the server is killed, its PostgreSQL ends by itself and in order', async () => {
  const folder = await newFolder();
  const { program, address } = await holdRunning(folder);
  await keepSeven(address);
  const postmaster = await postmasterOf(folder);
  await killed(program);
  expect(await hasEnded(postmaster, 10_000)).toBe(true);
  // Only an orderly shutdown removes this.
  await expect(postmasterOf(folder)).rejects.toThrow(/ENOENT/);
});

test('a PostgreSQL that was left running is ended and started anew, with all that was committed', async () => {
  const folder = await newFolder();
  const { program, pid, address } = await holdRunning(folder);
  await keepSeven(address);
  const postmaster = await postmasterOf(folder);
  // Everything that the server started but PostgreSQL itself: what would end it.
  for (const child of childrenOf(pid)) if (child !== postmaster) signal(child, 'SIGKILL');
  await killed(program);
  expect(isAlive(postmaster)).toBe(true);

  const log = keepingLog();
  const engine = await start(folder, log);
  expect(await postmasterOf(folder)).not.toBe(postmaster);
  expect(isAlive(postmaster)).toBe(false);
  expect(log.lines).toContainEqual(expect.objectContaining({ level: 'warn', fields: { pid: postmaster } }));
  await expectSeven(engine.address);
});

test('after kill -9 of everything the stale locks are cleared', async () => {
  const folder = await newFolder();
  const { program, address } = await holdRunning(folder);
  await keepSeven(address);
  const postmaster = await postmasterOf(folder);
  program.kill('SIGSTOP');
  killWithChildren(postmaster);
  await killed(program);
  await expectSeven((await start(folder)).address);
});

test.runIf(isLinux)('a child of a killed PostgreSQL that still holds its shared memory is ended', async () => {
  const folder = await newFolder();
  const { program, address } = await holdRunning(folder);
  await keepSeven(address);
  const client = new Client(address);
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const child: number = rows[0].pid;
  // Stopped, it cannot notice that its postmaster is gone; the next would refuse to start beside it.
  process.kill(child, 'SIGSTOP');
  afterThis(() => signal(child, 'SIGKILL'));
  const postmaster = await postmasterOf(folder);
  program.kill('SIGSTOP');
  process.kill(postmaster, 'SIGKILL');
  await killed(program);
  expect(isAlive(child)).toBe(true);

  const engine = await start(folder);
  expect(isAlive(child)).toBe(false);
  await expectSeven(engine.address);
});

test('a stale lock whose process id another program has now is cleared, and that program is left alone', async () => {
  const folder = await newFolder();
  const other = spawn('sleep', ['60']);
  afterThis(() => other.kill('SIGKILL'));
  const data = join(folder, 'postgres');
  const lock = [other.pid, data, 1, 5432, data, '', '1 1', 'ready', ''].join('\n');
  await writeFile(join(data, 'postmaster.pid'), lock);
  await writeFile(join(data, '.s.PGSQL.5432.lock'), lock);
  const engine = await start(folder);
  await keepSeven(engine.address);
  expect(other.exitCode ?? other.signalCode).toBeNull();
});

test.runIf(isLinux)('a process that has ended and is not reaped is not alive', async () => {
  // The shell is replaced by a program that never reaps its child, and before that child ends.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60']);
  afterThis(() => parent.kill('SIGKILL'));
  const [pid] = await once(parent.stdout, 'data');
  await expect.poll(() => isAlive(Number(pid))).toBe(false);
  process.kill(Number(pid), 0);
});
