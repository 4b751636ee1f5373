import { spawnSync } from 'node:child_process';
import { findOrInstall } from './debian.mjs';

/**
 * What the test of the container image runs: podman with its builder, a reader of compose files, a runtime, and the maker
 * of a small Debian.
 */
const PROGRAMS = ['podman', 'podman-compose', 'runc', 'debootstrap'];

/** Whether the container image can be built and run here. Says so where it cannot. */
export function findPodman() {
  const found = findOrInstall(() => (canRun() ? PROGRAMS : null), {
    // Their network.
    packages: [...PROGRAMS, 'netavark', 'iptables'],
    purpose: 'podman, for the test of the container image',
    missing:
      'podman, podman-compose, runc, and debootstrap are not here, or this is not root: the test of the container image is SKIPPED.',
  });
  return found !== null;
}

/** debootstrap makes device files, which needs root. */
function canRun() {
  return process.getuid?.() === 0 && PROGRAMS.every((name) => spawnSync(name, ['--version']).status === 0);
}
