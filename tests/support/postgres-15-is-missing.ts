import { test } from 'vitest';

console.warn(
  '\n!!! The suites for PostgreSQL 15 do NOT run: POSTGRES_15_BIN names no folder of its programs, ' +
    'such as /usr/lib/postgresql/15/bin.\n',
);

test.skip('PostgreSQL 15: policies, migrations and contract (POSTGRES_15_BIN is not set)');
