import { existsSync } from 'node:fs';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { say } from './say.mjs';

const PYTHON = '/usr/bin/python3';
const PACKAGE = '/usr/lib/python3/dist-packages/swift';

/**
 * Returns a Python with OpenStack Swift, an independent object store for the tests, or null with a message where there
 * is none.
 */
export function findSwift() {
  if (process.env.SWIFT_PYTHON) return process.env.SWIFT_PYTHON;
  if (existsSync(PACKAGE)) return PYTHON;
  if (canInstallDebianPackages()) {
    const failure = installDebianPackages(['python3-swift'], {
      purpose: 'OpenStack Swift, another object store, for the tests',
    });
    if (existsSync(PACKAGE)) return PYTHON;
    process.stderr.write(failure ?? '');
  }
  say('OpenStack Swift (python3-swift) is not here and cannot be installed: its tests are SKIPPED.');
  return null;
}
