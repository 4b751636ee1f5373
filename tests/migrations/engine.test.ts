import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';

const cluster = inject('cluster');

if (cluster === undefined) {
  console.warn(
    '\n!!! The suites for PostgreSQL 15 do NOT run: POSTGRES_15_BIN names no folder of its programs, ' +
      'such as /usr/lib/postgresql/15/bin.\n',
  );
}

const database = cluster === undefined ? undefined : await createTestDatabase();

test.skipIf(database === undefined)('the suites run on the PostgreSQL that they are named after', async () => {
  const response = await database?.query<{ server_version: string }>('show server_version');
  expect(response?.[0]?.server_version).toMatch(cluster?.engine === 'debian-15' ? /^15\./ : /^18\./);
});
