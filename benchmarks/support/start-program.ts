import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface Program {
  readonly pid: number;
  stop(): Promise<void>;
  /** Ends without output, as in a crash. */
  kill(): Promise<void>;
}

export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Where its output goes: a file, as under a service manager. */
  readonly output: string;
  /** Matches its output once it serves. */
  readonly ready: RegExp;
  /** Options of the runtime itself, such as --cpu-prof. */
  readonly runtime?: readonly string[] | undefined;
  /** Another copy of the project. */
  readonly root?: string | undefined;
}

const READY_WITHIN_MS = 60_000;
const HERE = resolve(import.meta.dirname, '../..');

/** Starts a program on this runtime. Resolves with the match when it reports that it is ready. */
export async function startProgram(
  command: readonly string[],
  { environment = {}, output, ready, runtime = [], root = HERE }: ProgramOptions,
): Promise<{ program: Program; found: RegExpExecArray }> {
  const log = openSync(output, 'a');
  const child = spawn(process.execPath, [...runtime, ...command], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', log, log],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command.join(' ')} did not start.`);
  const exited = once(child, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const printed = await readFile(output, 'utf8');
    const found = ready.exec(printed);
    if (found !== null) return { program: { pid, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }, found };
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${command.join(' ')} is not ready:\n${printed}`);
    }
    await pause(50);
  }
}
