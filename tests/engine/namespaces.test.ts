import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { isLongRun, rounds } from '#tests/support/long-runs.ts';
import { childrenOf } from '#tests/support/processes.ts';
import { ask, expectSeven, hold, holdRunning, isLinux, isRoot, keepSeven, newFolder, start } from './engine-folder.ts';

/** As a container: processes of its own, shared memory of its own, mounts of its own, and the volume of all. */
const UNSHARE = ['unshare', '--pid', '--ipc', '--mount', '--fork', '--kill-child=SIGKILL', '--mount-proc'];
const CONTAINER = { within: UNSHARE };
/** Of a server that is to be refused: as always, or shorter where that is not what is looked at. */
const REFUSED = { within: UNSHARE, ...(!isLongRun && { waitMs: 1_000 }) };

test.runIf(isRoot && isLinux)(
  'a server in another container waits for the first one, then is refused with one sentence, and touches nothing [K57]',
  async () => {
    const folder = await newFolder();
    const first = await holdRunning(folder, CONTAINER);
    await keepSeven(first.address);
    const before = await contents(folder);
    const startedAt = performance.now();
    const outside = expect(start(folder)).rejects.toThrow(/which cannot be seen from here, is already running/);
    expect(await hold(folder, REFUSED).said).toEqual({
      refused: `Another server, which cannot be seen from here, is already running on the data in ${folder}. Stop it first, or give this one its own folder with DATA_DIRECTORY.`,
    });
    expect(performance.now() - startedAt).toBeGreaterThan(isLongRun ? 10_000 : 1_000);
    // Nor from outside of both, where the first one's processes are seen under other numbers.
    await outside;
    expect(await contents(folder)).toEqual(before);
    await expectSeven(first.address);
  },
);

test.runIf(isRoot && isLinux)('it takes over within the 10 s when the first one stops [K57]', async () => {
  const folder = await newFolder();
  const first = await holdRunning(folder, CONTAINER);
  await keepSeven(first.address);
  const { said } = hold(folder, CONTAINER);
  expect(await Promise.race([said, pause(2_000, 'waiting')])).toBe('waiting');
  for (const pid of childrenOf(first.pid)) process.kill(pid, 'SIGTERM');
  const second = await said;
  if ('refused' in second) throw new Error(second.refused);
  await expectSeven(second);
});

test.runIf(isRoot && isLinux)(
  'a PostgreSQL that outlives its killed server keeps the other container out [K57]',
  async () => {
    const folder = await newFolder();
    // A shell is the first process, so that the container outlives the server.
    const first = await holdRunning(folder, { within: [...UNSHARE, '/bin/sh', '-c', '"$@" & wait; sleep 600', 'sh'] });
    await keepSeven(first.address);
    const [shell = 0] = childrenOf(first.pid);
    const [server = 0] = childrenOf(shell);
    // All that the server started but PostgreSQL: what would end it.
    for (const child of childrenOf(server)) if (!commandOf(child).includes(folder)) process.kill(child, 'SIGKILL');
    process.kill(server, 'SIGKILL');
    expect(await hold(folder, REFUSED).said).toHaveProperty('refused');
    await expectSeven(first.address);
    // In its own container the next server ends it, as always.
    const inside = ['nsenter', '--target', String(shell), '--pid', '--ipc', '--mount'];
    await expectSeven((await holdRunning(folder, { within: inside })).address);
  },
);

test.runIf(isRoot && isLinux)(
  'two containers take the data over from each other by kills, and nothing acknowledged is lost [K57]',
  async () => {
    const folder = await newFolder();
    let holding = await holdRunning(folder, CONTAINER);
    await ask(holding.address, 'create table kept (number int primary key, filler text not null)');
    const acknowledged: number[] = [];
    for (const round of rounds(2, 20, { times: 4 })) {
      const { pid, program, address } = holding;
      const writing = write(address, acknowledged);
      const next = hold(folder, CONTAINER);
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before);
      // Longer than it takes to start, so that it has to wait.
      const waited = pause(2_000 + ((round * 137) % 900), 'waiting');
      expect(await Promise.race([next.said, waited])).toBe('waiting');
      // The whole of it at once, as its first process is killed.
      const ended = once(program, 'exit');
      for (const child of childrenOf(pid)) process.kill(child, 'SIGKILL');
      await ended;
      await writing;
      const said = await next.said;
      if ('refused' in said) throw new Error(said.refused);
      holding = { program: next.program, pid: next.pid, address: said };
      const rows = await ask(said, 'select number from kept order by number');
      const kept = new Set(rows.map(({ number }) => number));
      expect(acknowledged.filter((number) => !kept.has(number))).toEqual([]);
    }
    await ask(holding.address, 'create extension amcheck');
    await ask(holding.address, "select bt_index_check('kept_pkey', true), verify_heapam('kept')");
  },
);

/** Writes rows, one a commit, until the server is gone. */
async function write(address: Parameters<typeof ask>[0], acknowledged: number[]): Promise<void> {
  const client = new Client(address);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query('select coalesce(max(number), 0) as last from kept');
    for (let number = rows[0].last + 1; ; number += 1) {
      await client.query("insert into kept values ($1, repeat('x', 500))", [number]);
      acknowledged.push(number);
    }
  } catch {
    await client.end().catch(() => undefined);
  }
}

/** The names in the folder and in the database's, when the latter were written, and who holds them. */
async function contents(folder: string): Promise<unknown> {
  const data = join(folder, 'postgres');
  const { ino, mode, uid } = await stat(data);
  const texts = ['postgres.lock', 'postgres/postmaster.pid', 'postgres/reunite-password'].map((name) =>
    readFile(join(folder, name), 'utf8'),
  );
  return [await readdir(folder), await readdir(data), { ino, mode, uid }, await Promise.all(texts)];
}

function commandOf(pid: number): string {
  return execFileSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8' });
}
