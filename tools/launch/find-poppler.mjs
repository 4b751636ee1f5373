import { spawnSync } from 'node:child_process';
import { findOrInstall } from './debian.mjs';

const PROGRAM = 'pdftoppm';

/** Returns the program that draws the pages of a PDF for the tests of stickers, or null with a message where there is none. */
export function findPoppler() {
  return findOrInstall(() => (spawnSync(PROGRAM, ['-v']).status === 0 ? PROGRAM : null), {
    packages: ['poppler-utils'],
    purpose: 'Poppler, which draws PDFs, for the tests',
    missing: 'Poppler (pdftoppm) is not here and cannot be installed: the tests of printed stickers are SKIPPED.',
  });
}
