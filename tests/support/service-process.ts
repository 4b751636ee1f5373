import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { ownPort } from './own-port.ts';
import { killWithChildren } from './processes.ts';

const ownRoot = resolve(import.meta.dirname, '../..');

/** The whole product as a separate program: `server/main.ts` with its embedded PostgreSQL in `dataDirectory`. */
export interface ServiceProcess {
  readonly url: string;
  readonly dataDirectory: string;
  readonly child: ChildProcess;
  /** Everything that it printed, for the message of a failing test. */
  output(): string;
  /** Sends the signal and resolves with the exit code, or null where the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ServiceProcessOptions {
  readonly dataDirectory: string;
  /** The checkout to start; by default this one. */
  readonly root?: string;
  /** What to start, from the root; by default `server/main.ts`. */
  readonly program?: string;
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** By default three minutes. */
  readonly startWithinMs?: number;
  /** Called with the program as soon as it runs. */
  readonly onSpawn?: (child: ChildProcess) => void;
}

/** A patient wait for starts: many programs may start at once, on a slow machine. */
export const START_WITHIN_MS = 180_000;

/**
 * Starts it and resolves when it reports that it is ready. Where it ends before or is not ready in time, it is stopped
 * and the promise rejects with its output.
 */
export async function startServiceProcess({
  startWithinMs = START_WITHIN_MS,
  root = ownRoot,
  program = 'server/main.ts',
  ...options
}: ServiceProcessOptions): Promise<ServiceProcess> {
  const port = options.port ?? (await ownPort());
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LOG_LEVEL: 'warn',
      ...options.environment,
      PORT: String(port),
      DATA_DIRECTORY: options.dataDirectory,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.onSpawn?.(child);
  let printed = '';
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  await new Promise<void>((ready, failed) => {
    const late = setTimeout(() => {
      // No other code has a reference to it yet.
      if (child.pid !== undefined) killWithChildren(child.pid);
      failed(new Error(`The server was not ready in time:\n${printed}`));
    }, startWithinMs);
    const read = (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      if (!/ is ready at /.test(printed)) return;
      clearTimeout(late);
      ready();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void exited.then((code) => {
      clearTimeout(late);
      failed(new Error(`The server ended with ${code}:\n${printed}`));
    });
  });
  return {
    url: `http://localhost:${port}`,
    dataDirectory: options.dataDirectory,
    child,
    output: () => printed,
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}
