import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { say } from './say.mjs';

/** Whether Debian packages can be installed here. */
export function canInstallDebianPackages() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/**
 * Installs Debian packages. Prints what it installs on this machine and why; apt's own output is captured. Returns
 * null, or apt's output where it failed.
 */
export function installDebianPackages(packages, { purpose }) {
  say(`Installing on this system, as root with apt-get, ${purpose}: ${packages.join(' ')} …`);
  const apt = (...args) =>
    spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::http::Timeout=30', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  const update = apt('update');
  const result = apt('install', '-y', '--no-install-recommends', ...packages);
  return result.status === 0 ? null : `${update.stdout}${update.stderr}${result.stdout}${result.stderr}`;
}

/**
 * Returns what `find` returns. Where that is null, installs the Debian packages if possible and looks again; prints
 * `missing` and returns null where it is still not there.
 */
export function findOrInstall(find, { packages, purpose, missing }) {
  const found = find();
  if (found !== null) return found;
  if (canInstallDebianPackages()) {
    const failure = installDebianPackages(packages, { purpose });
    const installed = find();
    if (installed !== null) return installed;
    process.stderr.write(failure ?? '');
  }
  say(missing);
  return null;
}
