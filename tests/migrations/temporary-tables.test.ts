import { expect, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { keepingLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const database = await createTestDatabase();

test.for(['anon', 'authenticated', 'service_role'])(
  'a start revokes the right to create temporary tables from %s, and grants it to no role [K17]',
  async (role) => {
    // A copied or restored database has the rights of a new one again.
    await database.query(`grant temporary on database ${database.address.database} to public`);
    await migrate({ address: database.address, directory: DATABASE_FOLDER, log: keepingLog() });
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await client.query(`set local role ${role}`);
      await expect(client.query('create temporary table heap (id int)')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.query('rollback');
      client.release();
    }
  },
);
