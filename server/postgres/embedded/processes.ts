import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Whether a process with this id is running, ours or not. A zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie's command line is empty.
    return commandOf(pid) !== '';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns the command line of a process, or null where it does not exist. */
function commandOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return ps(pid, 'args=');
  } catch {
    return null;
  }
}

/**
 * Returns when a process began, in the system's format. Together with the id it identifies a process, also across
 * reboots. Returns null where the process is gone, exiting or killed.
 */
export function beginningOf(pid: number): string | null {
  try {
    if (process.platform !== 'linux') return ps(pid, 'lstart=').trim() || null;
    // proc_pid_stat(5): the name in parentheses may contain spaces, so fields are counted after it. State is field 3,
    // flags are 9, the start time is 22, in ticks since boot; the boot id identifies the boot.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isExiting = state === 'Z' || state === 'X' || (Number(fields[5]) & PF_EXITING) !== 0;
    if (isExiting || isKilled(pid)) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[18]}`;
  } catch {
    return null;
  }
}

/** include/linux/sched.h: the process is releasing its resources, which takes a while where they are large. */
const PF_EXITING = 0x4;
/** The bit of signal 9. */
const SIGKILL_PENDING = 0x100n;

/** Whether a SIGKILL is pending, which on a busy machine can last a while. */
function isKilled(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)].some(
    ([, pending]) => (BigInt(`0x${pending}`) & SIGKILL_PENDING) !== 0n,
  );
}

/**
 * Returns the running PostgreSQL processes on this data folder, as far as they can be seen: on Linux those whose working
 * directory it is, as it is for all of a server's processes; elsewhere only the postmaster. The folder is compared by
 * device and inode: another container may have another one at the same path.
 */
export function postgresProcessesIn(data: string): number[] {
  if (process.platform !== 'linux') return postmasterIn(data);
  const folder = statSync(data, { throwIfNoEntry: false });
  if (folder === undefined) return [];
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name) || !basename(readlinkSync(`/proc/${name}/exe`)).startsWith('postgres')) return [];
      const { dev, ino } = statSync(`/proc/${name}/cwd`);
      return dev === folder.dev && ino === folder.ino ? [Number(name)] : [];
    } catch {
      // It has ended, or belongs to another user.
      return [];
    }
  });
}

function postmasterIn(data: string): number[] {
  const pid = Number.parseInt(readTextOf(join(data, 'postmaster.pid')), 10);
  const command = pid > 0 && isAlive(pid) ? commandOf(pid) : null;
  return command !== null && /postgres/.test(command) && command.includes(` ${data} `) ? [pid] : [];
}

function readTextOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Resolves with whether the process is no PostgreSQL on this data any more within the time. */
export function hasEndedEngine(pid: number, data: string, withinMs: number): Promise<boolean> {
  return until(() => !postgresProcessesIn(data).includes(pid), withinMs);
}

/** Resolves with whether the process ended within the time. */
export async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  return until(() => !isAlive(pid), withinMs);
}

async function until(isSo: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

/** Sends a signal; does nothing where the process has just ended. */
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
