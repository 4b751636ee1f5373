import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the project, whether the server runs from its sources or as a bundled file. */
export const PROJECT_ROOT = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}
