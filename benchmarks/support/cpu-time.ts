import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of the kernel's clock in a second, as `/proc/<pid>/stat` counts. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * Returns the user and system time, in microseconds, used so far by the processes and all their descendants. A child
 * that has ended counts in its parent's figures (proc_pid_stat(5), cutime and cstime).
 */
export function cpuTimeOf(pids: readonly number[]): number {
  const parents = new Set(pids);
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat === null) continue;
    const { ppid, used, usedByEnded } = stat;
    if (parents.has(Number(name))) ticks += used + usedByEnded;
    else if (parents.has(ppid)) ticks += used;
  }
  return (ticks * 1e6) / TICKS;
}

export function parentOf(pid: number): number {
  const stat = readStat(pid);
  if (stat === null) throw new Error(`There is no process ${pid}.`);
  return stat.ppid;
}

function readStat(pid: number): { ppid: number; used: number; usedByEnded: number } | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name in parentheses may contain spaces, so fields are counted after it; the state is field 3 of the manual.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (ofManual: number) => Number(fields[ofManual - 3]);
  return { ppid: field(4), used: field(14) + field(15), usedByEnded: field(16) + field(17) };
}
