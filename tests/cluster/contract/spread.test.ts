import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const pooler = inject('pooler');
if (pooler === undefined) {
  console.warn(
    '\n!!! The contract suites do NOT run on several servers: POSTGRES_15_BIN, PGBOUNCER, and HAPROXY must name ' +
      'their programs.\n',
  );
}

/** How many transactions PgBouncer has passed on to a database. */
async function pooledTransactions(database: string | undefined): Promise<number> {
  const client = new Client({ ...pooler, database: 'pgbouncer' });
  await client.connect();
  try {
    const { rows } = await client.query<{ database: string; total_xact_count: string }>('show stats');
    return Number(rows.find((row) => row.database === database)?.total_xact_count ?? 0);
  } finally {
    await client.end();
  }
}

test.skipIf(pooler === undefined)(
  'six processes of three servers serve one client, through PgBouncer',
  async () => {
    const database = await createTestDatabase();
    const server = await startTestServer(database);
    const client = server.client({ key: server.secrets.secretKey });
    let sent = 0;
    const servedBy = () => {
      const lines = server.logged.map((line) => JSON.parse(line));
      const served = lines.filter(({ msg, area }) => msg === 'answered' && area === '/rest/v1/');
      return new Set(served.map((line) => `process ${line.process} of server ${line.server}`));
    };
    await expect
      .poll(
        async () => {
          const looks = Array.from({ length: 24 }, () => client.from('profiles').select('id'));
          for (const { error } of await Promise.all(looks)) expect(error).toBeNull();
          sent += looks.length;
          return servedBy().size;
        },
        { timeout: 60_000 },
      )
      .toBe(6);
    // It counts them once a minute, and when it is asked for `show stats`.
    await expect.poll(() => pooledTransactions(database.address.database)).toBeGreaterThanOrEqual(sent);
  },
  300_000,
);
