import { expect, test } from 'vitest';
import { layBreakableLine } from '#tests/support/breakable-line.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);

const endConnections = () =>
  database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'reunite' and pid <> pg_backend_pid()`,
  );

test('connections that the database ends are opened again by the next call', async () => {
  const owner = await createOwner(database);
  const item = await createItem(database, owner);
  const look = () => server.call(`/rpc/find_item?qr_id_param=${item.qrId}`);
  const read = () => server.call('/items', { as: owner.caller });
  for (let round = 0; round < 3; round += 1) {
    // A request may use the connection before its end is noticed: that is a 503 and nothing else.
    await expect.poll(async () => (await look()).status).toBe(200);
    await expect.poll(async () => (await read()).body.length).toBe(1);
    await endConnections();
    for (const response of await Promise.all([look(), read(), look(), read()])) {
      expect([200, 503]).toContain(response.status);
      if (response.status === 503) expect(response.body.message).toBe('The database does not respond at the moment');
    }
  }
});

test('without a database: 503 in the usual error format, with Retry-After', async () => {
  const line = await layBreakableLine(database.address);
  const away = await startRestServer(line);
  await line.cut();
  const { caller } = await createOwner(database);
  const noSchema = ['PGRST002', 'Could not query the database for the schema cache. Retrying.'] as const;
  const databaseAway = ['PGRST001', 'The database does not respond at the moment'] as const;
  for (const [path, as, [code, message]] of [
    ['/rpc/find_item?qr_id_param=x', undefined, noSchema],
    // The session is checked first.
    ['/items', caller, databaseAway],
  ] as const) {
    const response = await away.call(path, as === undefined ? {} : { as });
    expect(response).toMatchObject({
      status: 503,
      body: { code, message, details: null },
    });
    expect(response.headers.get('retry-after')).toBe('2');
  }
});
