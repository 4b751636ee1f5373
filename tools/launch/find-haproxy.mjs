import { existsSync } from 'node:fs';
import { findOrInstall } from './debian.mjs';

const PROGRAM = '/usr/sbin/haproxy';

/** Returns the proxy for the tests of several servers, or null with a message where there is none. */
export function findHaProxy() {
  if (process.env.HAPROXY) return process.env.HAPROXY;
  return findOrInstall(() => (existsSync(PROGRAM) ? PROGRAM : null), {
    packages: ['haproxy'],
    purpose: 'HAProxy, for the tests of several servers',
    missing: 'HAProxy is not here and cannot be installed: the tests of several servers are SKIPPED.',
  });
}
