import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findOrInstall } from './debian.mjs';

const POPPLER = 'pdftoppm';

/** Returns the proxy for the tests of several servers, or null with a message where there is none. */
export function findHaProxy() {
  return findAt(process.env.HAPROXY, '/usr/sbin/haproxy', {
    packages: ['haproxy'],
    purpose: 'HAProxy, for the tests of several servers',
    missing: 'HAProxy is not here and cannot be installed: the tests of several servers are SKIPPED.',
  });
}

/** Returns the pooler for the tests that run behind one, or null with a message where there is none. */
export function findPgBouncer() {
  return findAt(process.env.PGBOUNCER, '/usr/sbin/pgbouncer', {
    packages: ['pgbouncer'],
    purpose: 'PgBouncer, for the tests behind a pooler',
    missing: 'PgBouncer is not here and cannot be installed: the tests behind a pooler are SKIPPED.',
  });
}

/** Returns the program that checks Prometheus' alert rules, or null with a message where there is none. */
export function findPromtool() {
  return findAt(process.env.PROMTOOL, '/usr/bin/promtool', {
    packages: ['prometheus'],
    purpose: 'promtool, which checks the alert rules',
    missing: 'promtool is not here and cannot be installed: the alert rules are NOT CHECKED.',
  });
}

/** Returns the program that draws the pages of a PDF for the tests of stickers, or null with a message where there is none. */
export function findPoppler() {
  return findOrInstall(() => (spawnSync(POPPLER, ['-v']).status === 0 ? POPPLER : null), {
    packages: ['poppler-utils'],
    purpose: 'Poppler, which draws PDFs, for the tests',
    missing: 'Poppler (pdftoppm) is not here and cannot be installed: the tests of printed stickers are SKIPPED.',
  });
}

function findAt(given, path, packages) {
  return given || findOrInstall(() => (existsSync(path) ? path : null), packages);
}
