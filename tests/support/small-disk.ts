import { spawnSync } from 'node:child_process';
import { temporaryFolder } from './temporary-folder.ts';
import { whenDone } from './when-done.ts';

/** Returns a folder on a file system of its own, of so many MiB; null where it cannot be mounted: only root can. */
export async function smallDisk(mib: number): Promise<string | null> {
  const folder = await temporaryFolder();
  const options = `size=${mib}m,mode=0755`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'reunite-test', folder]).status !== 0) return null;
  whenDone(() => spawnSync('umount', ['--lazy', folder]));
  return folder;
}
