import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceLog } from '#server/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { Account } from './choose-account.ts';
import { endWithUs } from './end-with-us.ts';
import type { PostgresLog } from './postgres-log.ts';
import { readPostmasterFile } from './postmaster-file.ts';

export interface PostmasterOptions {
  readonly program: string;
  readonly data: string;
  readonly account: Account | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly output: PostgresLog;
  readonly log: ServiceLog;
}

/** One PostgreSQL, from the moment that it takes connections. */
export interface Postmaster {
  /** Resolves when it has ended, with how: "exit code 1", "SIGKILL". */
  readonly ended: Promise<string>;
  /** Ends it in order; resolves when it has ended. */
  end(): Promise<void>;
}

/**
 * An immediate shutdown loses nothing, it only makes the next start recover. A fast one writes at most the shared
 * buffers; and asked for while PostgreSQL 18 recovers from the death of a child, it may never end.
 */
const FAST_SHUTDOWN_MS = 10_000;
const IMMEDIATE_SHUTDOWN_MS = 3_000;
const STILL_STARTING_EVERY_MS = 15_000;

/**
 * Starts PostgreSQL; resolves when it takes connections. After a crash it first recovers, and however long that takes
 * it is given. Throws an OperatorError with its last words when it ends before, and when `giveUp` is aborted.
 */
export async function runPostmaster(options: PostmasterOptions, giveUp: AbortSignal): Promise<Postmaster> {
  const { program, data, account, settings, output, log } = options;
  const file = await output.open(account);
  const printedBefore = await output.length();
  const child = spawn(
    program,
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...account,
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', file.fd, file.fd],
      // A session of its own: Ctrl-C in the terminal must reach the server first, which then stops us in order.
      detached: true,
    },
  );
  let ending: string | null = null;
  const ended = new Promise<string>((resolve) => {
    const note = (how: string) => {
      ending = how;
      resolve(how);
    };
    child.once('exit', (code, signal) => note(signal ?? `exit code ${code}`));
    // It could not be run, so its exit never comes.
    child.once('error', (error) => note(error.message));
  });
  await file.close();
  const callOff = child.pid === undefined ? () => undefined : endWithUs(child.pid, account);
  void ended.then(callOff);

  const end = async () => {
    if (ending === null) child.kill('SIGINT');
    const immediate = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
    const certain = setTimeout(() => child.kill('SIGKILL'), FAST_SHUTDOWN_MS + IMMEDIATE_SHUTDOWN_MS);
    await ended;
    clearTimeout(immediate);
    clearTimeout(certain);
  };

  const startedAt = performance.now();
  for (let told = 1; ; ) {
    const state = await readPostmasterFile(data);
    if (state?.pid === child.pid && state?.ready) return { ended, end };
    if (giveUp.aborted) await end();
    if (ending !== null) {
      const words = await output.wordsSince(printedBefore);
      throw new OperatorError(
        `The embedded PostgreSQL did not start (${ending}). Its last words, in ${output.path}:\n${words}`,
      );
    }
    if (performance.now() - startedAt > told * STILL_STARTING_EVERY_MS) {
      told += 1;
      log.info({ log: output.path }, 'The embedded PostgreSQL is still starting, perhaps recovering from a crash.');
    }
    await Promise.race([ended, pause(10)]);
  }
}
