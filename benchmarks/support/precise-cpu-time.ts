import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the time that all threads of a process have run, in microseconds. The kernel counts it in nanoseconds
 * (`/proc/<pid>/task/<tid>/schedstat`), where `cpuTimeOf` has ticks of ten milliseconds.
 */
export function preciseCpuTimeOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // The thread has just ended.
    }
  }
  return nanoseconds / 1_000;
}
