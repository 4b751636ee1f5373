import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the project, whether the server runs from its sources or as a bundled file. */
export const PROJECT_ROOT = findRoot(import.meta.dirname);

/** This program's release, such as `1.2.0`. */
export const RELEASE = readRelease();

function readRelease(): string {
  // The file is a part of the program; npm refuses one without a version.
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as { version: string };
  return version;
}

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}
