import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
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
