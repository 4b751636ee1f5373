import { spawnSync } from 'node:child_process';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { say } from './say.mjs';

const PROGRAM = 'pdftoppm';

/** Returns the program that draws the pages of a PDF for the tests of stickers, or null with a message where there is none. */
export function findPoppler() {
  if (runs()) return PROGRAM;
  if (canInstallDebianPackages()) {
    const failure = installDebianPackages(['poppler-utils'], { purpose: 'Poppler, which draws PDFs, for the tests' });
    if (runs()) return PROGRAM;
    process.stderr.write(failure ?? '');
  }
  say('Poppler (pdftoppm) is not here and cannot be installed: the tests of printed stickers are SKIPPED.');
  return null;
}

function runs() {
  return spawnSync(PROGRAM, ['-v']).status === 0;
}
