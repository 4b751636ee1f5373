import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import { isOwnSocketFolder } from './choose-listening-place.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { commandOf, hasEnded, isAlive, postgresProcessesIn, signal } from './processes.ts';

/** Signals to end a process, in order, each with its timeout in milliseconds. */
type Endings = readonly (readonly [NodeJS.Signals, number])[];

const END_CHILD: Endings = [
  ['SIGQUIT', 2_000],
  ['SIGKILL', 5_000],
];
const END_IN_ORDER: Endings = [['SIGINT', 10_000], ...END_CHILD];

/**
 * Prepares the start on a data folder that this process has claimed. What still runs there was left by a dead server:
 * it is shut down, or killed where it does not react. Stale locks and sockets are removed. Throws an OperatorError
 * where a process does not end.
 */
export async function clearLeftovers(data: string, log: ServiceLog): Promise<void> {
  const file = await readPostmasterFile(data);
  // After a clean shutdown nothing is left.
  if (file === null) return;
  if (isAlive(file.pid) && isPostgresOn(file.pid, data)) {
    log.warn({ pid: file.pid }, 'A PostgreSQL of a dead server is still running; shutting it down.');
    await end(file.pid, data, END_IN_ORDER);
  }
  // Its children notice its end and exit by themselves, unless they are busy.
  for (const pid of postgresProcessesIn(data)) {
    if (!(await hasEnded(pid, 2_000))) await end(pid, data, END_CHILD);
  }
  // PostgreSQL removes these itself, except where another program has the same process id by now, or the dead process
  // has not been reaped.
  await rm(join(data, 'postmaster.pid'), { force: true });
  if (isOwnSocketFolder(file.socketFolder)) {
    await rm(file.socketFolder, { recursive: true, force: true });
    return;
  }
  for (const name of [`.s.PGSQL.${file.port}`, `.s.PGSQL.${file.port}.lock`]) {
    await rm(join(data, name), { force: true });
  }
}

async function end(pid: number, data: string, endings: Endings): Promise<void> {
  for (const [name, timeout] of endings) {
    signal(pid, name);
    if (await hasEnded(pid, timeout)) return;
  }
  throw new OperatorError(
    `The PostgreSQL process ${pid} on ${data} does not end. End it by hand (kill -9 ${pid}), then start again.`,
  );
}

/** Process ids are reused, and a copied data folder names the original's process. */
function isPostgresOn(pid: number, data: string): boolean {
  if (process.platform === 'linux') return postgresProcessesIn(data).includes(pid);
  const command = commandOf(pid);
  return command !== null && /postgres/.test(command) && command.includes(` ${data} `);
}
