import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/embedded/start-embedded-postgres.ts';
import { killWithChildren } from '#tests/support/processes.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

const isRoot = process.getuid?.() === 0;
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

// Making the data folder takes most of a first start; where a test is not about that, it begins with a copy.
const made = await mkdtemp(join(tmpdir(), 'reunite-engine-'));
beforeAll(async () => {
  const engine = await startEmbeddedPostgres({ dataDirectory: join(made, 'postgres'), log: quietLog });
  await engine.stop();
});
afterAll(() => rm(made, { recursive: true, force: true }));

async function newFolder(name = 'reunite-engine-'): Promise<string> {
  const folder = await emptyFolder(name);
  // cp keeps the owner, which is another account where we are root.
  execFileSync('cp', ['-a', join(made, 'postgres'), folder]);
  return folder;
}

async function emptyFolder(name = 'reunite-engine-'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), name));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start(folder: string, log = quietLog): Promise<EmbeddedPostgres> {
  const engine = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log });
  cleanups.push(() => engine.stop());
  return engine;
}

/** The engine in a program of its own, so that the program can be killed. */
async function hold(folder: string): Promise<{ program: ChildProcess; address: EmbeddedPostgres['address'] }> {
  const script = join(import.meta.dirname, 'hold-engine.ts');
  const program = spawn(process.execPath, [script, join(folder, 'postgres')], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void program.kill('SIGKILL'));
  const [line] = await once(program.stdout ?? program, 'data');
  return { program, address: JSON.parse(String(line)) };
}

async function ask(address: EmbeddedPostgres['address'], text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(address);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function killed(program: ChildProcess): Promise<void> {
  const exited = once(program, 'exit');
  program.kill('SIGKILL');
  await exited;
}

const postmasterOf = async (folder: string) =>
  Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);

test('it is PostgreSQL 18, durable, on this machine only, with text sorted alike everywhere', async () => {
  const { address } = await start(await newFolder());
  const [settings] = await ask(
    address,
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages,
      current_setting('listen_addresses') as tcp, current_setting('timezone') as zone,
      datlocale as locale, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = current_database()`,
  );
  expect(settings).toEqual({
    version: 18,
    fsync: 'on',
    commit: 'on',
    pages: 'on',
    tcp: '',
    zone: 'UTC',
    locale: 'C.UTF-8',
    encoding: 'UTF8',
  });
});

test('nobody gets in without the generated password, and nobody else can read it', async () => {
  const folder = await newFolder();
  const { address } = await start(folder);
  await expect(ask({ ...address, password: 'guess' }, 'select 1')).rejects.toThrow(/password authentication failed/);
  expect((await stat(join(folder, 'postgres/reunite-password'))).mode & 0o077).toBe(0);
  expect((await stat(join(folder, 'postgres'))).mode & 0o077).toBe(0);
});

test('what was committed is there after a stop and a start', async () => {
  const folder = await newFolder();
  const first = await start(folder);
  await ask(first.address, 'create table kept as select 7 as seven');
  await first.stop();
  const second = await start(folder);
  expect(await ask(second.address, 'select seven from kept')).toEqual([{ seven: 7 }]);
});

test('a second start on the same data says so in one sentence and harms nothing', async () => {
  const folder = await newFolder();
  const { program, address } = await hold(folder);
  await expect(start(folder)).rejects.toThrow(
    `Another server (process ${program.pid}) is already running on the data in ${folder}. Stop it first, or give this one its own folder with DATA_DIRECTORY.`,
  );
  expect(await ask(address, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('after kill -9 of the server its PostgreSQL is ended and started anew, with all that was committed', async () => {
  const folder = await newFolder();
  const { program, address } = await hold(folder);
  await ask(address, 'create table kept as select 7 as seven');
  const left = await postmasterOf(folder);
  await killed(program);
  process.kill(left, 0);
  const engine = await start(folder);
  expect(await postmasterOf(folder)).not.toBe(left);
  expect(await ask(engine.address, 'select seven from kept')).toEqual([{ seven: 7 }]);
});

test('after kill -9 of everything the stale locks are cleared', async () => {
  const folder = await newFolder();
  const { program, address } = await hold(folder);
  await ask(address, 'create table kept as select 7 as seven');
  const postmaster = await postmasterOf(folder);
  await killed(program);
  killWithChildren(postmaster);
  const engine = await start(folder);
  expect(await ask(engine.address, 'select seven from kept')).toEqual([{ seven: 7 }]);
});

test('a stale lock whose process id another program has now is cleared', async () => {
  const folder = await newFolder();
  const engine = await start(folder);
  await engine.stop();
  await writeFile(join(folder, 'postgres/postmaster.pid'), `${process.pid}\n${join(folder, 'postgres')}\n`);
  const again = await start(folder);
  expect(await ask(again.address, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a first start that was cut off leaves nothing half made', async () => {
  const folder = await emptyFolder();
  const { pid } = spawn('true');
  const unfinished = join(folder, `postgres.${pid}.new`);
  await mkdir(join(unfinished, 'data'), { recursive: true });
  await writeFile(join(unfinished, 'data/PG_VERSION'), '18\n');
  const engine = await start(folder);
  expect(await ask(engine.address, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('a PostgreSQL that dies by itself is started again, and the log says so', async () => {
  const folder = await newFolder();
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  const engine = await start(folder, { ...quietLog, error: note, warn: note });
  await ask(engine.address, 'create table kept as select 7 as seven');
  process.kill(await postmasterOf(folder), 'SIGKILL');
  await expect
    .poll(() => ask(engine.address, 'select seven from kept').catch(() => null), { timeout: 20_000 })
    .toEqual([{ seven: 7 }]);
  expect(lines).toContain('The embedded PostgreSQL ended by itself; starting it again.');
});

test('it works under a path with spaces, commas and quotes, and under one too long for a socket', async () => {
  for (const name of ['with spaces, commas & "quotes" ', `${'long'.repeat(30)}-`]) {
    const engine = await start(await newFolder(name));
    expect(await ask(engine.address, 'select 1 as one')).toEqual([{ one: 1 }]);
  }
});

test('data of another major version is refused in a sentence', async () => {
  const folder = await newFolder();
  const engine = await start(folder);
  await engine.stop();
  await writeFile(join(folder, 'postgres/PG_VERSION'), '17\n');
  await expect(start(folder)).rejects.toThrow(/was made by PostgreSQL 17, and this is PostgreSQL 18/);
});

test.runIf(isRoot)('as root it runs as another account', async () => {
  const folder = await newFolder();
  await start(folder);
  const status = await readFile(`/proc/${await postmasterOf(folder)}/status`, 'utf8');
  expect(status).toMatch(/^Uid:\t(?!0\t)/m);
});

test.runIf(isRoot)(
  'under a folder that only root can enter, the data is a link to a place the account can reach',
  async () => {
    const home = await emptyFolder();
    await chmod(home, 0o700);
    const folder = join(home, 'checkout/.data');
    const first = await start(folder);
    const elsewhere = dirname(await realpath(join(folder, 'postgres')));
    cleanups.unshift(() => rm(elsewhere, { recursive: true, force: true }));
    await ask(first.address, 'create table kept as select 7 as seven');
    expect((await lstat(join(folder, 'postgres'))).isSymbolicLink()).toBe(true);
    await first.stop();
    const second = await start(folder);
    expect(await ask(second.address, 'select seven from kept')).toEqual([{ seven: 7 }]);
  },
);
