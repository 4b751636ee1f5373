import { execFileSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseListeningPlace } from '#server/postgres/embedded/choose-listening-place.ts';
import { hasEnded, signal } from '#server/postgres/embedded/processes.ts';
import { childrenOf, killWithChildren } from '#tests/support/processes.ts';
import {
  afterThis,
  emptyFolder,
  expectSeven,
  holdRunning,
  isRoot,
  keepSeven,
  killed,
  newFolder,
  postmasterOf,
  start,
} from './engine-folder.ts';

/** An ordinary account that every system has by this number; it need not have a name. */
const ORDINARY = 65_534;

test.for(['with spaces ', 'commas, "quotes" & ümläuts-', `${'long'.repeat(40)}-`])(
  'it works in a folder whose name is %j…',
  async (name) => {
    const folder = await newFolder(name);
    const engine = await start(folder);
    await keepSeven(engine.address);
    await engine.stop();
    await expectSeven((await start(folder)).address);
  },
);

test('a folder of its own for the socket is gone after a stop, and after the start that follows a kill', async () => {
  const folder = await newFolder(`${'long'.repeat(40)}-`);
  const { program, pid, address } = await holdRunning(folder);
  expect((await stat(address.host)).mode & 0o077).toBe(0);
  const postmaster = await postmasterOf(folder);
  program.kill('SIGSTOP');
  // PostgreSQL, and what would end it in order.
  killWithChildren(postmaster);
  for (const child of childrenOf(pid)) signal(child, 'SIGKILL');
  await killed(program);
  await hasEnded(postmaster, 5_000);
  expect(await readdir(address.host)).not.toEqual([]);

  const engine = await start(folder);
  await expect(stat(address.host)).rejects.toThrow(/ENOENT/);
  await engine.stop();
  await expect(stat(engine.address.host)).rejects.toThrow(/ENOENT/);
});

test('where no folder can hold a socket it listens on loopback alone', async () => {
  const { host, settings } = await chooseListeningPlace(`/${'long'.repeat(40)}`, null, []);
  expect(host).toBe('127.0.0.1');
  expect(settings).toMatchObject({ listen_addresses: '127.0.0.1', unix_socket_directories: '' });
});

test('the folders around the data keep their modes', async () => {
  const folder = await newFolder();
  await chmod(folder, 0o1777);
  await start(folder);
  expect((await stat(folder)).mode & 0o7777).toBe(0o1777);
});

test.runIf(isRoot)('as root it runs as another account', async () => {
  const folder = await newFolder();
  await start(folder);
  expect(await userOf(await postmasterOf(folder))).not.toBe(0);
});

test.runIf(isRoot)('a closed folder of root can be traversed by others, and not listed', async () => {
  const folder = await newFolder();
  await chmod(folder, 0o700);
  await start(folder);
  expect((await lstat(join(folder, 'postgres'))).isDirectory()).toBe(true);
  expect((await stat(folder)).mode & 0o777).toBe(0o711);
});

test.runIf(isRoot).for(['022', '077'])(
  'under a folder that only root can enter, the data is a link to a place that the account can reach (umask %s)',
  async (umask) => {
    const home = await emptyFolder();
    await chmod(home, 0o700);
    const folder = join(home, 'checkout/.data');
    const first = await holdRunning(folder, { umask });
    const elsewhere = await realpath(join(folder, 'postgres'));
    afterThis(() => rm(dirname(elsewhere), { recursive: true, force: true }));
    await keepSeven(first.address);
    expect((await lstat(join(folder, 'postgres'))).isSymbolicLink()).toBe(true);
    expect((await stat(elsewhere)).mode & 0o077).toBe(0);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await killed(first.program);
    await expectSeven((await start(folder)).address);
    expect(await realpath(join(folder, 'postgres'))).toBe(elsewhere);
  },
);

test.runIf(isRoot)('a folder that others may write to gets no wider permissions', async () => {
  const folder = await emptyFolder();
  await chmod(folder, 0o770);
  let elsewhere = '';
  afterThis(() => elsewhere === '' || rm(dirname(elsewhere), { recursive: true, force: true }));
  await keepSeven((await start(folder)).address);
  elsewhere = await realpath(join(folder, 'postgres'));
  expect(elsewhere).not.toContain(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o770);
});

test.runIf(isRoot)('an existing database that cannot be reached is refused with one sentence', async () => {
  const home = await newFolder();
  await chmod(home, 0o700);
  const folder = join(home, 'checkout');
  await mkdir(folder);
  execFileSync('mv', [join(home, 'postgres'), folder]);
  await expect(start(folder)).rejects.toThrow(/cannot enter the folder of the database/);
});

test.runIf(isRoot)('a database of an ordinary user is run as that user, by root too', async () => {
  const folder = await newFolder();
  await chmod(folder, 0o700);
  for (const path of [folder, join(folder, 'postgres')]) execFileSync('chown', ['-R', `${ORDINARY}:${ORDINARY}`, path]);
  const engine = await start(folder);
  expect(await userOf(await postmasterOf(folder))).toBe(ORDINARY);
  await keepSeven(engine.address);
  await engine.stop();
  const theirs = await holdRunning(folder, { uid: ORDINARY });
  await expectSeven(theirs.address);
});

test.runIf(isRoot)('a database that root has restored is handed over to the account', async () => {
  const folder = await newFolder();
  execFileSync('chown', ['-R', '0:0', join(folder, 'postgres')]);
  await keepSeven((await start(folder)).address);
  expect((await stat(join(folder, 'postgres'))).uid).not.toBe(0);
});

test.runIf(isRoot)('an ordinary user makes and runs a database of their own', async () => {
  const folder = await emptyFolder();
  await chown(folder, ORDINARY, ORDINARY);
  const { program, address } = await holdRunning(folder, { uid: ORDINARY });
  await keepSeven(address);
  expect(await userOf(await postmasterOf(folder))).toBe(ORDINARY);
  await killed(program);
  await expectSeven((await holdRunning(folder, { uid: ORDINARY })).address);
});

test.runIf(isRoot)("an ordinary user is refused another account's database with one sentence", async () => {
  const folder = await newFolder();
  await chmod(folder, 0o777);
  await expect(holdRunning(folder, { uid: ORDINARY })).rejects.toThrow(/belongs to another account/);
});

async function userOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^Uid:\t(\d+)/m.exec(status)?.[1]);
}
