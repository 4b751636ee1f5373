import { spawn } from 'node:child_process';
import type { Account } from './choose-account.ts';

/**
 * Has PostgreSQL end in order when this process does, however it does: killed, out of memory, its terminal closed.
 * A shell waits for the end of a pipe of which only we hold the other side. Returns how to call that off.
 */
export function endWithUs(postmaster: number, account: Account | null): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'reunite-watch', String(postmaster)], {
    ...account,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in the terminal is not for it.
    detached: true,
  });
  watcher.once('error', () => undefined);
  watcher.stdin.once('error', () => undefined);
  watcher.unref();
  // Killed before the pipe closes, so that it never signals a process id that others may have by then.
  return () => void watcher.kill('SIGKILL');
}
