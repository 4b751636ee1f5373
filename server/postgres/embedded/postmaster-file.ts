import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running PostgreSQL writes into its data folder (miscadmin.h of PostgreSQL, "LOCK_FILE_LINE_…"). */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: string;
  /** Empty where it listens on no Unix socket. */
  readonly socketFolder: string;
  readonly ready: boolean;
}

/** Null where there is no such file, or not one yet. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: lines[3] ?? '', socketFolder: lines[4] ?? '', ready: lines[7] === 'ready' };
}
