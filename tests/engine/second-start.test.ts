import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockData } from '#server/postgres/embedded/lock/lock-data.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import {
  afterThis,
  ask,
  emptyFolder,
  expectSeven,
  hold,
  holdRunning,
  isLinux,
  keepSeven,
  killed,
  newFolder,
  start,
} from './engine-folder.ts';

test('a second start on the same data is refused with one sentence and does no harm', async () => {
  const folder = await newFolder();
  const { pid, address } = await holdRunning(folder);
  await expect(start(folder)).rejects.toThrow(
    `Another server (process ${pid}) is already running on the data in ${folder}. Stop it first, or give this one its own folder with DATA_DIRECTORY.`,
  );
  expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of several simultaneous first starts one continues, and the others say why they do not', async () => {
  const folder = await emptyFolder();
  const responses = await Promise.all(Array.from({ length: 4 }, () => hold(folder).said));
  const running = responses.filter((response) => 'host' in response);
  const refused = responses.filter((response) => 'refused' in response);
  expect(running).toHaveLength(1);
  expect(refused).toHaveLength(3);
  for (const { refused: sentence } of refused) expect(sentence).toMatch(/is already running on the data/);
  for (const address of running) await keepSeven(address);
});

test('a start right after a kill -9 of the server is not refused', async () => {
  const folder = await newFolder();
  const { program, address } = await holdRunning(folder);
  await keepSeven(address);
  await killed(program);
  await expectSeven((await start(folder)).address);
});

test.runIf(isLinux)('a start is not refused for a killed server that is not reaped yet', async () => {
  const folder = await newFolder();
  // The shell is replaced by a program that never reaps its child.
  const script = `"${process.execPath}" "${join(import.meta.dirname, 'hold-engine.ts')}" "${join(folder, 'postgres')}" & echo $! >&2; exec sleep 120`;
  const parent = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  afterThis(() => parent.kill('SIGKILL'));
  const [[pid], [address]] = await Promise.all([once(parent.stderr, 'data'), once(parent.stdout, 'data')]);
  await keepSeven(JSON.parse(address));
  process.kill(Number(pid), 'SIGKILL');
  await expectSeven((await start(folder)).address);
  // It still has its id.
  process.kill(Number(pid), 0);
});

test('a copy of the folder of a running server is a database of its own', async () => {
  const folder = await newFolder();
  const original = await start(folder);
  await keepSeven(original.address);
  const copy = await emptyFolder();
  execFileSync('cp', ['-a', `${folder}/.`, copy]);
  const second = await start(copy);
  await ask(second.address, 'create table only_here ()');
  await expectSeven(original.address);
  await expect(ask(original.address, 'select from only_here')).rejects.toThrow(/does not exist/);
});

test('of many simultaneous locks one is granted, and the next one only after its release', async () => {
  const folder = await emptyFolder();
  const data = join(folder, 'postgres');
  const lock = () => lockData(data, { account: null, log: quietLog });
  for (let round = 0; round < 5; round += 1) {
    const attempts = await Promise.allSettled(Array.from({ length: 40 }, lock));
    const granted = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(granted).toHaveLength(1);
    await expect(lock()).rejects.toThrow(/is already running/);
    for (const { release } of granted) release();
  }
  expect(await readdir(folder)).toEqual(['postgres.lock']);
});

test('a recorded process that is another program by now is left alone, and the data is free [K57]', async () => {
  const folder = await newFolder();
  const engine = await start(folder);
  await engine.stop();
  const other = spawn('sleep', ['60']);
  afterThis(() => other.kill('SIGKILL'));
  const record = join(folder, 'postgres.lock');
  const holder = JSON.parse(await readFile(record, 'utf8'));
  await writeFile(record, JSON.stringify({ ...holder, pid: other.pid, beginning: 'long ago' }));
  await start(folder);
  expect(other.exitCode ?? other.signalCode).toBeNull();
});
