import { readFileSync } from 'node:fs';

export interface Transferred {
  readonly read: number;
  readonly written: number;
}

/**
 * Returns the bytes that the processes have read and written so far, with files and sockets together
 * (proc_pid_io(5), rchar and wchar). PostgreSQL's own are not counted: it uses other system calls for its sockets.
 */
export function transferredBy(pids: readonly number[]): Transferred {
  const texts = pids.map((pid) => readFileSync(`/proc/${pid}/io`, 'utf8'));
  const sum = (name: string) =>
    texts.reduce((total, text) => total + Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]), 0);
  return { read: sum('rchar'), written: sum('wchar') };
}
