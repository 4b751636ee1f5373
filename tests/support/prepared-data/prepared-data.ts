import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data folder of a stopped PostgreSQL with every migration applied. */
    preparedData: string;
  }
}

/** Puts a stopped, migrated database into a data folder: a first start in it takes half the CPU time of one in an empty one. */
export async function prepareData(dataDirectory: string): Promise<void> {
  // cp keeps the owner, which is another account where we are root.
  await promisify(execFile)('cp', ['-a', inject('preparedData'), dataDirectory]);
}

/** A data folder with a migrated database and nothing else in it, for as long as `temporaryFolder` keeps one. */
export async function preparedFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await prepareData(folder);
  return folder;
}
