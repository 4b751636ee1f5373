import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** What the databases of a whole run take at most, with room to spare. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * The folder in which tests create folders with a database or uploads: in memory if there is room,
 * which makes a copy of a database ten times as cheap, else the system's temporary folder. Programs may not run there.
 */
export const THROW_AWAY_PLACE = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();

function hasRoom(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
