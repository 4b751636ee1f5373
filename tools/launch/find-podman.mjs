import { spawnSync } from 'node:child_process';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { say } from './say.mjs';

/** What the test of the container image runs: podman with its builder, a runtime, and the maker of a small Debian. */
const PROGRAMS = ['podman', 'runc', 'debootstrap'];

/** Whether the container image can be built and run here. Says so where it cannot. */
export function findPodman() {
  const missing = () => PROGRAMS.filter((name) => spawnSync(name, ['--version']).status !== 0);
  // debootstrap makes device files, which needs root.
  if (missing().length > 0 && canInstallDebianPackages()) {
    const failure = installDebianPackages(PROGRAMS, { purpose: 'podman, for the test of the container image' });
    if (missing().length > 0) process.stderr.write(failure ?? '');
  }
  if (missing().length === 0 && process.getuid?.() === 0) return true;
  say('podman, runc, and debootstrap are not here, or this is not root: the test of the container image is SKIPPED.');
  return false;
}
