import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { endWhenSilent } from '#server/postgres/end-when-silent.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { layBreakableLine } from '#tests/support/breakable-line.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const own = await createTestDatabase();

/** The driver's types omit its socket. */
function streamOf(client: unknown): Socket {
  return (client as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

test('calls on connections that fall silent fail within seconds, and later ones are served over new connections [I58]', async () => {
  const line = await layBreakableLine(own.address);
  const database = openDatabase({ address: line.address, log: quietLog });
  whenDone(() => database.close());
  const look = () => database.readAsVisitor({ name: 'look', text: 'select 1' });
  const write = () => database.asCaller(VISITOR, { name: 'write', text: 'select 1' });
  await Promise.all([look(), write()]);

  line.fallSilent();
  const failures = await Promise.all([look(), write()].map((call) => call.catch((error: unknown) => error)));
  for (const failure of failures) expect(isDatabaseUnavailable(failure)).toBe(true);
  await Promise.all([look(), write()]);
});

test('where one of several idle connections has fallen silent, the others fail no further call', async () => {
  const line = await layBreakableLine(own.address);
  const database = openDatabase({ address: line.address, log: quietLog });
  whenDone(() => database.close());
  const write = () => database.asCaller(VISITOR, { text: 'select pg_sleep(0.1)' });
  const crowd = () => Promise.all([write(), write(), write()]);
  await crowd();
  line.fallSilent();
  expect(isDatabaseUnavailable(await write().catch((error: unknown) => error))).toBe(true);
  await crowd();
});

test('a connection that was idle for longer than it may be silent is still watched', async () => {
  const line = await layBreakableLine(own.address);
  const client = await connectTo(line.address);
  client.on('error', () => undefined);
  endWhenSilent(client, 50);
  await once(streamOf(client), 'timeout');
  line.fallSilent();
  await expect(client.query('select 1')).rejects.toThrow('Connection terminated');
});

test('an idle connection that is silent stays open', async () => {
  const client = await connectTo(own.address);
  endWhenSilent(client, 50);
  await once(streamOf(client), 'timeout');
  // As long as the grace period for a connection that awaits a response.
  await own.query('select pg_sleep(0.3)');
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
