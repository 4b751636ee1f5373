import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { Account } from './choose-account.ts';
import { endWithUs } from './end-with-us.ts';
import type { PostgresLog } from './postgres-log.ts';
import { readPostmasterFile } from './postmaster-file.ts';

export interface PostmasterOptions {
  readonly program: string;
  readonly data: string;
  readonly account: Account | null;
  /** The descriptor of the data's lock, which it and all of its processes hold as long as they run. */
  readonly lock: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly output: PostgresLog;
  readonly log: ServiceLog;
  /** Called when its process runs and only its readiness is awaited. */
  readonly onLaunch?: () => void;
}

/** A running PostgreSQL that accepts connections. */
export interface Postmaster {
  /** Resolves when it has ended, with the reason: "exit code 1", "SIGKILL". */
  readonly ended: Promise<string>;
  /** Shuts it down; resolves when it has ended. */
  end(): Promise<void>;
}

/**
 * A fast shutdown writes at most the shared buffers, but may never end if requested while PostgreSQL 18 recovers from a
 * child's crash. An immediate shutdown loses no data; the next start recovers.
 */
const FAST_SHUTDOWN_MS = 10_000;
const IMMEDIATE_SHUTDOWN_MS = 3_000;
const STILL_STARTING_EVERY_MS = 15_000;

/**
 * Starts PostgreSQL; resolves when it accepts connections. Recovery after a crash may take any time. Throws an
 * OperatorError with its last log lines when it ends before, or when `giveUp` is aborted.
 */
export async function runPostmaster(options: PostmasterOptions, giveUp: AbortSignal): Promise<Postmaster> {
  const { program, data, account, lock, settings, output, log } = options;
  const file = await output.open(account);
  const printedBefore = await output.length();
  const child = spawn(
    program,
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...account,
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', file.fd, file.fd, lock],
      // A separate session: Ctrl-C in the terminal must reach only the server, which then shuts PostgreSQL down.
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
    // It could not be started, so there is no exit event.
    child.once('error', (error) => note(error.message));
  });
  await file.close();
  const callOff = child.pid === undefined ? () => undefined : endWithUs(child.pid, account);
  void ended.then(callOff);
  options.onLaunch?.();

  const end = async () => {
    if (ending === null) child.kill('SIGINT');
    const immediate = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
    const certain = setTimeout(() => child.kill('SIGKILL'), FAST_SHUTDOWN_MS + IMMEDIATE_SHUTDOWN_MS);
    await ended;
    clearTimeout(immediate);
    clearTimeout(certain);
  };

  const startedAt = performance.now();
  for (let reports = 1; ; ) {
    const state = await readPostmasterFile(data);
    if (state?.pid === child.pid && state?.ready) return { ended, end };
    if (giveUp.aborted) await end();
    if (ending !== null) {
      const words = await output.wordsSince(printedBefore);
      throw new OperatorError(
        `The embedded PostgreSQL did not start (${ending}). Its last words, in ${output.path}:\n${words}`,
      );
    }
    if (performance.now() - startedAt > reports * STILL_STARTING_EVERY_MS) {
      reports += 1;
      log.info({ log: output.path }, 'The embedded PostgreSQL is still starting, perhaps recovering from a crash.');
    }
    await Promise.race([ended, pause(10)]);
  }
}
