import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { hasEndedEngine, postgresProcessesIn, signal } from './processes.ts';

/** Signals to end a process, in order, each with its timeout in milliseconds. */
type Endings = readonly (readonly [NodeJS.Signals, number])[];

const END_CHILD: Endings = [
  ['SIGQUIT', 2_000],
  ['SIGKILL', 5_000],
];
const END_IN_ORDER: Endings = [['SIGINT', 10_000], ...END_CHILD];

/**
 * Ends the processes of a PostgreSQL that a dead server has left on the data: in order, or by a kill where one does not
 * react. Only what is still a PostgreSQL on this data is signaled.
 *
 * @throws OperatorError where a process does not end
 */
export async function endEngine(processes: readonly number[], data: string, log: ServiceLog): Promise<void> {
  const file = await readPostmasterFile(data);
  const postmaster = processes.find((pid) => pid === file?.pid);
  if (postmaster !== undefined && isRunning(postmaster, data)) {
    log.warn({ pid: postmaster }, 'A PostgreSQL of a dead server is still running; shutting it down.');
    await end(postmaster, data, END_IN_ORDER);
  }
  // Its children notice its end and exit by themselves, unless they are busy.
  for (const pid of processes) {
    if (!(await hasEndedEngine(pid, data, 2_000))) await end(pid, data, END_CHILD);
  }
}

function isRunning(pid: number, data: string): boolean {
  return postgresProcessesIn(data).includes(pid);
}

async function end(pid: number, data: string, endings: Endings): Promise<void> {
  for (const [name, timeout] of endings) {
    // Process ids are used again.
    if (!isRunning(pid, data)) return;
    signal(pid, name);
    if (await hasEndedEngine(pid, data, timeout)) return;
  }
  throw new OperatorError(
    `The PostgreSQL process ${pid} on ${data} does not end. End it by hand (kill -9 ${pid}), then start again.`,
  );
}
