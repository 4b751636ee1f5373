import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimData } from '#server/postgres/embedded/claim-data.ts';
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

test('of many simultaneous claims one is granted, and the next one only after its release', async () => {
  const folder = await emptyFolder();
  const data = join(folder, 'postgres');
  for (let round = 0; round < 5; round += 1) {
    const attempts = await Promise.allSettled(Array.from({ length: 40 }, () => claimData(data)));
    const granted = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(granted).toHaveLength(1);
    await expect(claimData(data)).rejects.toThrow(/is already running/);
    for (const claim of granted) await claim.release();
  }
  expect(await readdir(folder)).toHaveLength(1);
});

test('a claim is free when another process has the id of the one that made it', async () => {
  const folder = await emptyFolder();
  const data = join(folder, 'postgres');
  await claimData(data);
  const [name = ''] = await readdir(folder);
  const claim = JSON.parse(await readFile(join(folder, name), 'utf8'));
  await writeFile(join(folder, name), JSON.stringify({ ...claim, beginning: 'long ago' }));
  const attempts = await Promise.allSettled(Array.from({ length: 40 }, () => claimData(data)));
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
