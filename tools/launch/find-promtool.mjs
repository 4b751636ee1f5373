import { existsSync } from 'node:fs';
import { canInstallDebianPackages, installDebianPackages } from './debian.mjs';
import { say } from './say.mjs';

const PROGRAM = '/usr/bin/promtool';

/** Returns the program that checks Prometheus' alert rules, or null with a message where there is none. */
export function findPromtool() {
  if (process.env.PROMTOOL) return process.env.PROMTOOL;
  if (!existsSync(PROGRAM) && canInstallDebianPackages()) {
    const failure = installDebianPackages(['prometheus'], { purpose: 'promtool, which checks the alert rules' });
    if (!existsSync(PROGRAM)) process.stderr.write(failure ?? '');
  }
  if (existsSync(PROGRAM)) return PROGRAM;
  say('promtool is not here and cannot be installed: the alert rules are NOT CHECKED.');
  return null;
}
