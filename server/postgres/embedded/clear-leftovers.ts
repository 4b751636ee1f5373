import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceLog } from '#server/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import { isOwnSocketFolder } from './choose-listening-place.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { commandOf, hasEnded, isAlive, postgresProcessesIn, signal } from './processes.ts';

/** Ways to end a process, one after another, and how many ms each gets. */
type Endings = readonly (readonly [NodeJS.Signals, number])[];

const END_CHILD: Endings = [
  ['SIGQUIT', 2_000],
  ['SIGKILL', 5_000],
];
const END_IN_ORDER: Endings = [['SIGINT', 10_000], ...END_CHILD];

/**
 * Makes way for a start on a data folder that this process has claimed, so whatever still runs there was left by a
 * server that is gone: it is ended, in order if it can be. Locks and sockets that nobody holds are removed.
 * Throws an OperatorError where a process does not end.
 */
export async function clearLeftovers(data: string, log: ServiceLog): Promise<void> {
  const file = await readPostmasterFile(data);
  // A PostgreSQL that ended in order left nothing.
  if (file === null) return;
  if (isAlive(file.pid) && isPostgresOn(file.pid, data)) {
    log.warn({ pid: file.pid }, 'A PostgreSQL was left running by a server that is gone; ending it.');
    await end(file.pid, data, END_IN_ORDER);
  }
  // Its children notice that it is gone and leave by themselves, unless they are in the middle of something.
  for (const pid of postgresProcessesIn(data)) {
    if (!(await hasEnded(pid, 2_000))) await end(pid, data, END_CHILD);
  }
  // PostgreSQL clears these by itself, except where another program was given the same process id since, or where the
  // dead one waits to be reaped.
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
  for (const [name, patience] of endings) {
    signal(pid, name);
    if (await hasEnded(pid, patience)) return;
  }
  throw new OperatorError(
    `The PostgreSQL process ${pid} on ${data} does not end. End it by hand (kill -9 ${pid}), then start again.`,
  );
}

/** A process id is given again to others, and a copied data folder names the process of the original. */
function isPostgresOn(pid: number, data: string): boolean {
  if (process.platform === 'linux') return postgresProcessesIn(data).includes(pid);
  const command = commandOf(pid);
  return command !== null && /postgres/.test(command) && command.includes(` ${data} `);
}
