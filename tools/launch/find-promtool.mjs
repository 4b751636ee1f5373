import { existsSync } from 'node:fs';
import { findOrInstall } from './debian.mjs';

const PROGRAM = '/usr/bin/promtool';

/** Returns the program that checks Prometheus' alert rules, or null with a message where there is none. */
export function findPromtool() {
  if (process.env.PROMTOOL) return process.env.PROMTOOL;
  return findOrInstall(() => (existsSync(PROGRAM) ? PROGRAM : null), {
    packages: ['prometheus'],
    purpose: 'promtool, which checks the alert rules',
    missing: 'promtool is not here and cannot be installed: the alert rules are NOT CHECKED.',
  });
}
