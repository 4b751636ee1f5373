import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/postgres/database.ts';
import { lockKey } from '#server/postgres/notifications.ts';
import { layBreakableLine } from '#tests/support/breakable-line.ts';
import { keepingLog, quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const own = await createTestDatabase();
const WITHIN_SECONDS = { timeout: 5_000 };

/** The sessions that listen. */
const sessions = () =>
  own.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'reunite notifications'`,
  );

/** The sessions that hold the lock of that name. */
const holders = (lock: string) =>
  own.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
       and (classid::bigint << 32 | objid::bigint) = ${lockKey('$1')}`,
    [lock],
  );

test('a listening connection that falls silent is found out within seconds, and another one hears again [I58]', async () => {
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

test('a listening connection that falls silent while PostgreSQL keeps its session is replaced by one, and that session ends', async () => {
  const line = await layBreakableLine(own.address);
  const database = openDatabase({ address: line.address, log: quietLog });
  whenDone(() => database.close());
  const heard: string[] = [];
  await database.listen('session_ended', {
    onPayload: (payload) => heard.push(payload),
    onGap: () => heard.push('a gap'),
  });
  await database.holdLock('a lock');
  const [before] = await holders('a lock');

  line.fallSilent();
  await expect.poll(() => heard, WITHIN_SECONDS).toEqual(['a gap']);
  expect(database.isHearing()).toBe(true);
  expect(await holders('a lock'), 'the session before is still there').toEqual([before]);
  await own.query("select pg_notify('session_ended', 'heard')");
  await expect.poll(() => heard).toEqual(['a gap', 'heard']);

  // The session before ends by itself, and only one has taken its place.
  await expect.poll(sessions).not.toContainEqual(before);
  const [after, ...others] = await sessions();
  expect(others).toEqual([]);
  await expect.poll(() => holders('a lock')).toEqual([after]);
  expect(heard).toEqual(['a gap', 'heard']);
});

test('a caller that listens while the connection is being replaced gets the same one, and each notification once', async () => {
  const database = openDatabase({ address: own.address, log: quietLog });
  whenDone(() => database.close());
  const heard: string[] = [];
  const listen = () =>
    database.listen('session_ended', {
      onPayload: (payload) => heard.push(payload),
      onGap: () => heard.push('a gap'),
    });
  const stop = await listen();
  const before = await sessions();
  await own.query('select pg_terminate_backend($1)', [before.at(-1)?.pid]);
  await expect.poll(database.isHearing, { interval: 5 }).toBe(false);
  stop();
  // Sooner than the pause before it connects again by itself.
  await listen();
  await expect.poll(() => heard).toEqual(['a gap']);
  await pause(1_000);
  expect(await sessions()).toHaveLength(before.length);
  await own.query("select pg_notify('session_ended', 'heard')");
  await expect.poll(() => heard).toEqual(['a gap', 'heard']);
  await pause(100);
  expect(heard).toEqual(['a gap', 'heard']);
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

test('in an outage the log says once why the database cannot be reached', async () => {
  const line = await layBreakableLine(own.address);
  const log = keepingLog();
  const database = openDatabase({ address: line.address, log });
  whenDone(() => database.close());
  await database.listen('session_ended', { onPayload: () => undefined });
  await line.cut();
  // For several attempts.
  await pause(1_500);
  await line.mend();
  await expect.poll(database.isHearing).toBe(true);
  const reasons = log.lines.filter(({ message }) => message === 'The database cannot be reached yet.');
  expect(reasons).toEqual([
    { level: 'warn', fields: { err: expect.objectContaining({ code: 'ECONNREFUSED' }) }, message: expect.anything() },
  ]);
});
