import { spawn } from 'node:child_process';
import type { Account } from './choose-account.ts';

/**
 * Makes PostgreSQL shut down when this process ends in any way: killed, out of memory, its terminal closed. A shell
 * waits for the end of a pipe whose other end only this process holds. Returns a function that cancels this.
 */
export function endWithUs(postmaster: number, account: Account | null): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'reunite-watch', String(postmaster)], {
    ...account,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in the terminal must not reach it.
    detached: true,
  });
  watcher.once('error', () => undefined);
  watcher.stdin.once('error', () => undefined);
  watcher.unref();
  // Killed before the pipe closes, so that it never signals a reused process id.
  return () => void watcher.kill('SIGKILL');
}
