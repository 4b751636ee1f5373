import { existsSync } from 'node:fs';
import { findOrInstall } from './debian.mjs';

const PROGRAM = '/usr/sbin/pgbouncer';

/** Returns the pooler for the tests that run behind one, or null with a message where there is none. */
export function findPgBouncer() {
  if (process.env.PGBOUNCER) return process.env.PGBOUNCER;
  return findOrInstall(() => (existsSync(PROGRAM) ? PROGRAM : null), {
    packages: ['pgbouncer'],
    purpose: 'PgBouncer, for the tests behind a pooler',
    missing: 'PgBouncer is not here and cannot be installed: the tests behind a pooler are SKIPPED.',
  });
}
