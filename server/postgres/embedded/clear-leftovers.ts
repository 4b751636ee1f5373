import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServiceLog } from '#server/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import { beginningOf, commandOf, hasEnded, isAlive } from './processes.ts';

const OWNER_FILE = 'reunite-owner.json';
const FAST_SHUTDOWN_MS = 15_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;

/**
 * Makes way for a start on this data folder. A PostgreSQL whose server was killed goes on running without it: it is
 * ended. A lock that nobody holds is removed. One whose server lives is left alone, and this start is refused.
 */
export async function clearLeftovers(data: string, log: ServiceLog): Promise<void> {
  const owner = await readOwner(data);
  if (owner !== null && owner.pid !== process.pid && beginningOf(owner.pid) === owner.beginning) {
    throw alreadyRunning(data, owner.pid);
  }
  const postmaster = await readPostmaster(data);
  if (postmaster === null) return;
  if (!isAlive(postmaster) || !isPostgresOn(postmaster, data)) {
    // PostgreSQL would see that by itself, unless another program was given the same process id, or the dead one has not been reaped.
    for (const lock of ['postmaster.pid', '.s.PGSQL.5432.lock', '.s.PGSQL.5432'])
      await rm(join(data, lock), { force: true });
    return;
  }
  log.warn({ pid: postmaster }, 'A PostgreSQL was left running by a server that was killed; ending it.');
  process.kill(postmaster, 'SIGINT');
  if (await hasEnded(postmaster, FAST_SHUTDOWN_MS)) return;
  process.kill(postmaster, 'SIGQUIT');
  if (!(await hasEnded(postmaster, IMMEDIATE_SHUTDOWN_MS))) {
    throw new OperatorError(
      `The PostgreSQL process ${postmaster} on ${data} does not end. End it by hand, then start again.`,
    );
  }
}

/** The sentence for a second start on the same data. */
export function alreadyRunning(data: string, pid: number | null): OperatorError {
  const who = pid === null ? 'Another server' : `Another server (process ${pid})`;
  return new OperatorError(
    `${who} is already running on the data in ${dirname(data)}. Stop it first, or give this one its own folder with DATA_DIRECTORY.`,
  );
}

/** Notes that this process is the one whose PostgreSQL runs on the data. */
export async function writeOwner(data: string): Promise<void> {
  await writeFile(join(data, OWNER_FILE), JSON.stringify({ pid: process.pid, beginning: beginningOf(process.pid) }));
}

export async function removeOwner(data: string): Promise<void> {
  await rm(join(data, OWNER_FILE), { force: true });
}

async function readOwner(data: string): Promise<{ pid: number; beginning: string } | null> {
  try {
    const owner: unknown = JSON.parse(await readFile(join(data, OWNER_FILE), 'utf8'));
    if (typeof owner !== 'object' || owner === null || !('pid' in owner) || !('beginning' in owner)) return null;
    return { pid: Number(owner.pid), beginning: String(owner.beginning) };
  } catch {
    return null;
  }
}

async function readPostmaster(data: string): Promise<number | null> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

function isPostgresOn(pid: number, data: string): boolean {
  const command = commandOf(pid);
  return command !== null && /postgres/.test(command) && command.includes(` ${data} `);
}
