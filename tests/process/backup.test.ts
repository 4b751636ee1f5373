import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { rounds } from '#tests/support/long-runs.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { queryDatabase } from '#tests/support/query-database.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { runCommandLine } from '#tools/operator/run-command-line.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = await preparedFolder();
const options = { auth: { persistSession: false, autoRefreshToken: false } };
const account = { email: 'olive@example.com', password: 'correct horse' };

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What `npm run reunite -- backup …` does, in this process. */
async function run(dataDirectory: string, words: readonly string[]): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const code = await runCommandLine(['backup', ...words], {
    env: { DATA_DIRECTORY: dataDirectory },
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
  });
  return { code, ...printed };
}

/** The program itself, which can be killed. */
function spawnProgram(dataDirectory: string, words: readonly string[]): ChildProcess {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, ['tools/reunite.ts', 'backup', ...words], {
    cwd: root,
    env: { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIRECTORY: dataDirectory },
    stdio: 'ignore',
  });
}

test('a service with its embedded database is backed up while it runs, and restored on another host [K98]', async () => {
  const service = await startServiceProcess({ dataDirectory: folder });
  const { secretKey } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'));
  const { auth, storage } = createClient(service.url, secretKey, options);
  expect((await auth.admin.createUser({ ...account, email_confirm: true })).error).toBeNull();
  await storage.createBucket('papers');
  for (const name of ['a', 'b', 'c']) await storage.from('papers').upload(name, Buffer.alloc(8 * 1024 * 1024, name));

  const created = await run(folder, ['create']);
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const [file = ''] = created.stdout.split('\n');
  expect(await run(folder, ['restore', file])).toMatchObject({ code: 1, stdout: '' });

  // Killed half-way, it leaves nothing that looks like a backup.
  const other = join(folder, 'killed');
  await mkdir(other);
  await inSomeAttempt(async () => {
    const before = (await readdir(other)).length;
    const child = spawnProgram(folder, ['create', '--folder', other]);
    const exit = once(child, 'exit');
    while ((await readdir(other)).length === before && child.exitCode === null);
    child.kill('SIGKILL');
    expect((await exit)[0]).toBeNull();
  });
  const left = await readdir(other);
  expect(left.filter((name) => name.endsWith('.part'))).not.toEqual([]);
  const list = JSON.parse((await run(folder, ['list', '--folder', other, '--json'])).stdout);
  expect(list).toHaveLength(left.filter((name) => name.endsWith('.tar')).length);
  await service.end('SIGTERM');

  // Without a running service, too.
  expect(await run(folder, ['create', '--folder', join(folder, 'stopped')])).toMatchObject({ code: 0, stderr: '' });

  const host = await temporaryFolder();
  expect(await run(host, ['restore', file])).toMatchObject({ code: 0, stderr: '' });
  await cp(join(folder, 'secrets.json'), join(host, 'secrets.json'));
  const moved = await startServiceProcess({ dataDirectory: host });
  const again = createClient(moved.url, secretKey, options);
  const { data } = await again.storage.from('papers').download('b');
  expect(await data?.text()).toBe('b'.repeat(8 * 1024 * 1024));
  expect((await createClient(moved.url, secretKey, options).auth.signInWithPassword(account)).error).toBeNull();
  await moved.end('SIGTERM');
});

test('a service that is killed while it backs up by itself goes on after its restart, and nothing half is listed [K98]', async () => {
  const dataDirectory = await preparedFolder();
  const to = await temporaryFolder();
  const port = await ownPort();
  const environment = { BACKUP_SCHEDULE: 'daily 00:00', BACKUP_TO: to };
  const start = () => startServiceProcess({ dataDirectory, port, environment });
  const namesOf = async (end: string) => (await readdir(to)).filter((name) => name.endsWith(end));
  const listed = async (): Promise<{ file: string }[]> =>
    JSON.parse((await run(dataDirectory, ['list', '--folder', to, '--json'])).stdout);
  let service = await start();
  const { secretKey } = JSON.parse(await readFile(join(dataDirectory, 'secrets.json'), 'utf8'));
  const { storage } = createClient(service.url, secretKey, options);
  await storage.createBucket('papers');
  for (const name of ['a', 'b', 'c']) await storage.from('papers').upload(name, randomBytes(8 * 1024 * 1024));
  // As its calendar does every five minutes.
  await queryDatabase(service, `select graphile_worker.add_job('back_up', queue_name := 'back_up')`);

  for (const kill of rounds(2, 10)) {
    // Each attempt goes on by itself: the job is that of the killed service.
    await expect.poll(() => namesOf('.part'), { interval: 2 }).not.toEqual([]);
    if (kill > 0) await pause(Math.random() * 100);
    await service.end('SIGKILL');
    const whole = await namesOf('.tar');
    if (kill === 0) expect(whole).toEqual([]);
    expect(
      (await listed()).map(({ file }) => file),
      `kill ${kill}`,
    ).toEqual(whole.map((name) => join(to, name)));
    if (whole.length > 0) break;
    for (const part of await namesOf('.part')) await rm(join(to, part));
    service = await start();
  }
  if (service.child.exitCode === null && service.child.signalCode === null) {
    await expect.poll(() => namesOf('.tar'), { timeout: 60_000 }).toHaveLength(1);
    await service.end('SIGTERM');
  }
  const [backup] = await listed();
  expect(await run(dataDirectory, ['verify', backup?.file ?? ''])).toMatchObject({ code: 0 });
});

test('a command without the settings of the service makes no database, and says what is missing', async () => {
  const empty = await temporaryFolder();
  const ran = await run(empty, ['create']);
  expect(ran).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('DATA_DIRECTORY, or DATABASE_URL'),
  });
  await expect(stat(join(empty, 'postgres'))).rejects.toThrow('ENOENT');
});
