import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceLog } from '#server/log/log.ts';
import { isOwnSocketFolder } from './choose-listening-place.ts';
import { endEngine } from './end-engine.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { postgresProcessesIn } from './processes.ts';

/**
 * Prepares the start on a data folder that this process has locked. What still runs there, such as a child of a PostgreSQL
 * that has died, is ended. Stale locks and sockets are removed. Throws an OperatorError where a process does not end.
 */
export async function clearLeftovers(data: string, log: ServiceLog): Promise<void> {
  const file = await readPostmasterFile(data);
  // After a clean shutdown nothing is left.
  if (file === null) return;
  await endEngine(postgresProcessesIn(data), data, log);
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
