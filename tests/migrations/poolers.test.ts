import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { MigrationError } from '#server/postgres/migrations/migration-error.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const { address } = await createTestDatabase();
const directory = join(import.meta.dirname, '../../database');

/** What a pooler does with the message that opens a connection. */
type Startup = (message: Buffer, client: Socket) => Buffer | null;

/** PgBouncer with `ignore_startup_parameters=options`. */
const dropOptions: Startup = (message) => {
  const words = message.subarray(8).toString('latin1').split('\0');
  const at = words.findIndex((word, index) => index % 2 === 0 && word === 'options');
  words.splice(at, 2);
  const rest = Buffer.from(words.join('\0'), 'latin1');
  const head = Buffer.from(message.subarray(0, 8));
  head.writeInt32BE(8 + rest.length);
  return Buffer.concat([head, rest]);
};

/** PgBouncer as it is installed. */
const refuse: Startup = (_message, client) => {
  const fields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(4 + fields.length, 1);
  client.end(Buffer.concat([head, fields]));
  return null;
};

const { host = '127.0.0.1' } = address;

/** Returns an address that leads through such a pooler. */
async function behind(startup: Startup) {
  const server = createServer((client) => {
    client.once('data', (message) => {
      const changed = startup(message, client);
      if (changed === null) return;
      const postgres = connect(
        host.startsWith('/') ? { path: join(host, `.s.PGSQL.${address.port}`) } : { host, port: Number(address.port) },
      );
      postgres.write(changed);
      client.pipe(postgres).pipe(client);
      for (const [one, other] of [
        [client, postgres],
        [postgres, client],
      ] as const) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(() => void server.close());
  return { ...address, host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

test.each([
  ['ignores', dropOptions],
  ['refuses', refuse],
] as const)(
  'a pooler that %s the settings of a connection is named before anything is migrated',
  async (_, startup) => {
    const pooled = await behind(startup);
    const migrating = migrate({ address: pooled, directory, log: quietLog });
    await expect(migrating).rejects.toThrow(/must lead to PostgreSQL itself and to no pooler/);
    await expect(migrating).rejects.toThrow(MigrationError);
  },
);

test('the pooler of this test passes on everything else', async () => {
  const client = new Client({ ...(await behind(dropOptions)), options: '-c reunite.session=own' });
  await client.connect();
  const { rows } = await client.query("select current_setting('reunite.session', true) as session");
  expect(rows).toEqual([{ session: null }]);
  await client.end();
});
