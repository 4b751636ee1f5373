import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Whether a process with this id runs, ours or not. One that has ended and waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // The command line of a process that waits to be reaped is empty.
    return commandOf(pid) !== '';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The command line of a process, or null where there is none (any more). */
export function commandOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return ps(pid, 'args=');
  } catch {
    return null;
  }
}

/**
 * Tells a process from a later one that was given the same id, after a restart of the machine too: when it began, in
 * the system's own words. Null where the process is gone.
 */
export function beginningOf(pid: number): string | null {
  try {
    if (process.platform !== 'linux') return ps(pid, 'lstart=').trim() || null;
    // proc_pid_stat(5): the name in parentheses may hold blanks, so count after it; start time is field 22, in ticks
    // since the machine started, and the boot id says which start that was.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
  } catch {
    return null;
  }
}

/**
 * The PostgreSQL processes whose working folder is this data folder, as that of each of its processes is. Known on
 * Linux only; empty elsewhere.
 */
export function postgresProcessesIn(data: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => {
    try {
      const inside = /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === data;
      return inside && basename(readlinkSync(`/proc/${name}/exe`)).startsWith('postgres') ? [Number(name)] : [];
    } catch {
      // It has ended, or is not ours to look at.
      return [];
    }
  });
}

/** Resolves with whether the process ended within that time. */
export async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

/** Sends a signal; a process that has just ended needs none. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function ps(pid: number, field: string): string {
  return execFileSync('ps', ['-p', String(pid), '-o', field], { encoding: 'utf8', env: { LC_ALL: 'C' } });
}
