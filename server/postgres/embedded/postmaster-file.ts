import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The lock file of a running PostgreSQL in its data folder (miscadmin.h, "LOCK_FILE_LINE_…"). */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: string;
  /** Empty where it does not listen on a Unix socket. */
  readonly socketFolder: string;
  readonly ready: boolean;
}

/** Returns null where the file is missing or incomplete. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: lines[3] ?? '', socketFolder: lines[4] ?? '', ready: lines[7] === 'ready' };
}
