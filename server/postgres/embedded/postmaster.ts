import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import type { ServiceLog } from '#server/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { Account } from './choose-account.ts';
import { alreadyRunning } from './clear-leftovers.ts';

export interface PostmasterOptions {
  readonly program: string;
  readonly data: string;
  readonly account: Account | null;
  readonly log: ServiceLog;
  /** What PostgreSQL prints; emptied at each start. */
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Crash recovery of a busy database takes its time. */
const READY_WITHIN_MS = 120_000;
const FAST_SHUTDOWN_MS = 20_000;
const RESTART_DELAYS_MS = [200, 1_000, 5_000, 10_000] as const;
/** A server that ran this long was well: the next restart begins with the shortest delay again. */
const WELL_AFTER_MS = 60_000;
/** Children of a killed postmaster hold its shared memory until they notice; that takes them well under this. */
const LEFTOVER_MEMORY_MS = 10_000;

/** The running PostgreSQL: started, watched, started again when it ends by itself, stopped. */
export class Postmaster {
  #options: PostmasterOptions;
  #child: ChildProcess | undefined;
  #stopping = false;
  #restarts = 0;
  #endWithUs = () => {
    // The process ends without a stop, on an error at its start: do not leave a PostgreSQL behind.
    this.#child?.kill('SIGINT');
  };

  constructor(options: PostmasterOptions) {
    this.#options = options;
  }

  /** Resolves when it takes connections. */
  async start(server: ClientConfig): Promise<void> {
    process.once('exit', this.#endWithUs);
    const deadline = Date.now() + LEFTOVER_MEMORY_MS;
    for (;;) {
      const child = await this.#spawn();
      const failure = await this.#untilReady(child, server);
      if (failure === null) {
        this.#watch(child, server);
        return;
      }
      const printed = await readFile(this.#options.logFile, 'utf8').catch(() => '');
      if (/pre-existing shared memory block .* still in use/.test(printed) && Date.now() < deadline) {
        await pause(100);
        continue;
      }
      if (/lock file "postmaster\.pid" already exists/.test(printed)) throw alreadyRunning(this.#options.data, null);
      throw new OperatorError(
        `The embedded PostgreSQL did not start (${failure}). Its last words, in ${this.#options.logFile}:\n${printed.trim().split('\n').slice(-5).join('\n')}`,
      );
    }
  }

  /** Fast shutdown; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    process.off('exit', this.#endWithUs);
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    const late = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
    await exited;
    clearTimeout(late);
  }

  async #spawn(): Promise<ChildProcess> {
    const { program, data, account, logFile, settings } = this.#options;
    const output = await open(logFile, 'w', 0o600);
    try {
      const child = spawn(
        program,
        ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        {
          ...account,
          cwd: '/',
          env: { LC_ALL: 'C', TZ: 'UTC' },
          stdio: ['ignore', output.fd, output.fd],
          // A session of its own: Ctrl-C in the terminal must reach the server first, which then stops us in order.
          detached: true,
        },
      );
      // A program that cannot be run says so here, and its exit never comes.
      child.once('error', () => undefined);
      this.#child = child;
      return child;
    } finally {
      await output.close();
    }
  }

  /** Null once it answers, or why it never will. */
  async #untilReady(child: ChildProcess, server: ClientConfig): Promise<string | null> {
    const deadline = Date.now() + READY_WITHIN_MS;
    while (Date.now() < deadline) {
      if (child.exitCode !== null || child.signalCode !== null)
        return `it ended with ${child.exitCode ?? child.signalCode}`;
      if (child.pid === undefined) return 'it cannot be run';
      const client = new Client({ ...server, database: 'postgres' });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return null;
      } catch {
        await pause(25);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
    return `it took longer than ${READY_WITHIN_MS / 1000} s`;
  }

  #watch(child: ChildProcess, server: ClientConfig): void {
    const startedAt = Date.now();
    child.once('exit', (code, signal) => {
      if (this.#stopping) return;
      this.#options.log.error({ code, signal }, 'The embedded PostgreSQL ended by itself; starting it again.');
      if (Date.now() - startedAt > WELL_AFTER_MS) this.#restarts = 0;
      void this.#restart(server);
    });
  }

  async #restart(server: ClientConfig): Promise<void> {
    const delay = RESTART_DELAYS_MS[Math.min(this.#restarts, RESTART_DELAYS_MS.length - 1)] ?? 0;
    this.#restarts += 1;
    await pause(delay);
    if (this.#stopping) return;
    try {
      await this.start(server);
      this.#options.log.warn({}, 'The embedded PostgreSQL is running again.');
    } catch (error) {
      this.#options.log.error({ err: error }, 'The embedded PostgreSQL could not be started again.');
      void this.#restart(server);
    }
  }
}
