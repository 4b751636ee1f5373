import { existsSync } from 'node:fs';
import { findOrInstall } from './debian.mjs';

const PYTHON = '/usr/bin/python3';
const PACKAGE = '/usr/lib/python3/dist-packages/swift';

/**
 * Returns a Python with OpenStack Swift, an independent object store for the tests, or null with a message where there
 * is none.
 */
export function findSwift() {
  if (process.env.SWIFT_PYTHON) return process.env.SWIFT_PYTHON;
  return findOrInstall(() => (existsSync(PACKAGE) ? PYTHON : null), {
    packages: ['python3-swift'],
    purpose: 'OpenStack Swift, another object store, for the tests',
    missing: 'OpenStack Swift (python3-swift) is not here and cannot be installed: its tests are SKIPPED.',
  });
}
