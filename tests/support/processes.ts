import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The processes that this one has started and that still run. */
export function childrenOf(parent: number): number[] {
  return processes().flatMap(({ pid, ppid }) => (ppid === parent ? [pid] : []));
}

/** SIGKILL for a process and all that it has started, at once. */
export function killWithChildren(pid: number): void {
  for (const target of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch (error) {
      // It ended by itself in between.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

function processes(): { pid: number; ppid: number }[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return lines.map((line) => {
      const [pid, ppid] = line.trim().split(/\s+/);
      return { pid: Number(pid), ppid: Number(ppid) };
    });
  }
  // Not every machine has ps. The name in parentheses may hold blanks, so the fields are counted after it (proc_pid_stat(5)).
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return [{ pid: Number(name), ppid: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }];
    } catch {
      return [];
    }
  });
}
