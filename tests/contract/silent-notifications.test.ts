import { expect, test } from 'vitest';
import { openDatabase } from '#server/postgres/database.ts';
import { layBreakableLine } from '#tests/support/breakable-line.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const own = await createTestDatabase();

test('a listening connection that falls silent is found out within seconds, and another one hears again', async () => {
  const line = await layBreakableLine(own.address);
  const database = openDatabase({ address: line.address, log: quietLog });
  const heard: string[] = [];
  expect(database.isHearing()).toBe(false);
  await database.listen('session_ended', {
    onPayload: (payload) => heard.push(payload),
    onGap: () => heard.push('a gap'),
  });
  expect(database.isHearing()).toBe(true);

  line.fallSilent();
  await own.query("select pg_notify('session_ended', 'lost')");
  // TCP alone would take a quarter of an hour.
  await expect.poll(database.isHearing, { interval: 20 }).toBe(false);
  await expect.poll(database.isHearing).toBe(true);
  await own.query("select pg_notify('session_ended', 'heard')");
  await expect.poll(() => heard).toEqual(['a gap', 'heard']);
  await database.close();
});

test('a listener that could not be notified when it subscribed is not notified later', async () => {
  const line = await layBreakableLine(own.address);
  const database = openDatabase({ address: line.address, log: quietLog });
  const heard: string[] = [];
  const listenAs = (name: string) => database.listen('session_ended', { onPayload: () => heard.push(name) });
  await line.cut();
  await expect(listenAs('the first')).rejects.toThrow();
  await line.mend();
  await listenAs('the second');
  await own.query("select pg_notify('session_ended', 'x')");
  await expect.poll(() => heard).toEqual(['the second']);
  await database.close();
});
