import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { ServiceLog } from '#server/log/log.ts';
import { signal } from '#server/postgres/embedded/processes.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/embedded/start-embedded-postgres.ts';
import { prepareData } from '#tests/support/prepared-data/prepared-data.ts';
import { childrenOf } from '#tests/support/processes.ts';
import { keepingLog } from '#tests/support/quiet-log.ts';
import { THROW_AWAY_PLACE } from '#tests/support/throw-away-place.ts';

export const isRoot = process.getuid?.() === 0;
export const isLinux = process.platform === 'linux';

type Address = EmbeddedPostgres['address'];

/** Runs after the test, the last one first, whether it passed or not. */
export function afterThis(ending: () => unknown): void {
  onTestFinished(async () => {
    await ending();
  });
}

/**
 * A folder like `.data`, with a database in it that is not running. Making one takes most of a first start; where a test
 * is not about that, it begins with a copy.
 */
export async function newFolder(name?: string): Promise<string> {
  const folder = await emptyFolder(name);
  await prepareData(folder);
  return folder;
}

export async function emptyFolder(name = 'reunite-engine-'): Promise<string> {
  const folder = await mkdtemp(join(THROW_AWAY_PLACE, name));
  afterThis(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function start(folder: string, log: ServiceLog = keepingLog()): Promise<EmbeddedPostgres> {
  const engine = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log });
  afterThis(() => engine.stop());
  return engine;
}

export interface Held {
  readonly program: ChildProcess;
  readonly pid: number;
  /** What the program reported: the engine's address, or why it was refused. */
  readonly said: Promise<Address | { refused: string }>;
}

interface HoldOptions {
  /** Another account, by its id. */
  readonly uid?: number;
  readonly umask?: string;
  /** The command that runs the program. */
  readonly within?: readonly string[];
  /** How long it waits for another server to leave, in milliseconds. */
  readonly waitMs?: number;
}

/** Starts the engine in a separate program, which can be killed. */
export function hold(folder: string, { uid, umask, within = [], waitMs }: HoldOptions = {}): Held {
  const script = [
    ...within,
    process.execPath,
    join(import.meta.dirname, 'hold-engine.ts'),
    join(folder, 'postgres'),
    String(waitMs ?? ''),
  ];
  const program = spawn('/bin/sh', ['-c', `umask ${umask ?? '022'}; exec "$@"`, 'sh', ...script], {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterThis(async () => {
    if (program.exitCode !== null || program.signalCode !== null) return;
    const ended = once(program, 'exit');
    // A stopped program would not receive the signal.
    program.kill('SIGCONT');
    program.kill('SIGTERM');
    // unshare(1) ignores that; with the first process of its namespace all others end.
    if (within.length > 0) for (const pid of childrenOf(program.pid ?? 0)) signal(pid, 'SIGKILL');
    await ended;
  });
  let text = '';
  const said = new Promise<Address | { refused: string }>((resolve, reject) => {
    program.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.endsWith('\n')) resolve(JSON.parse(text));
    });
    program.stdout.once('end', () => reject(new Error(`It ended without a word: ${text}`)));
  });
  // A test that kills the program may not read its report.
  said.catch(() => undefined);
  return { program, pid: program.pid ?? 0, said };
}

/** The same, once the engine runs. */
export async function holdRunning(
  folder: string,
  options?: HoldOptions,
): Promise<{ program: ChildProcess; pid: number; address: Address }> {
  const { said, ...held } = hold(folder, options);
  const address = await said;
  if ('refused' in address) throw new Error(address.refused);
  return { ...held, address };
}

export async function killed(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit');
  program.kill('SIGKILL');
  await ended;
}

export async function ask(address: Address, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(address);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const SEVEN = [{ seven: 7 }];
export const keepSeven = (address: Address) => ask(address, 'create table kept as select 7 as seven');

/** What `keepSeven` committed is there; tried again while PostgreSQL is away. */
export async function expectSeven(address: Address): Promise<void> {
  await expect.poll(() => ask(address, 'select seven from kept').catch(String), { interval: 20 }).toEqual(SEVEN);
}

export async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
}
