import { expect, test } from 'vitest';
import { REALTIME_LIMITS } from '#server/realtime/limits.ts';
import { layBreakableLine } from '#tests/support/breakable-line.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { hear } from './hear.ts';
import { openRawSocket } from './raw-socket.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { REALTIME_PUBLIC_CHANNELS: 'true' } });
const owner = await createOwner(database);
await database.query(`create policy "all but what is whispered" on realtime.messages for select to authenticated
  using (event is distinct from 'whisper')`);

const client = async () => server.client({ token: await server.token({ sub: owner.id }) });
const say = (topic: string, text: string, event = 'shout', isPrivate = true) =>
  database.query('select realtime.send($1, $2, $3, $4)', [{ text }, event, topic, isPrivate]);
const MINUTE_MS = 60_000;
const witness = await hear(await client(), 'witness', { private: true });

/** Resolves once the server has received all broadcasts, so that none is new to a client that joins afterwards. */
async function allDelivered() {
  const before = witness.heard.length;
  await say('witness', 'until here');
  await witness.until(before + 1);
}

test('a client that joins a private channel gets earlier broadcasts from SQL in order, then new ones [F42]', async () => {
  for (const text of ['one', 'two', 'three']) await say('room', text);
  await say('room', 'not for this one', 'whisper');
  await say('room', 'in public', 'shout', false);
  await say('another room', 'elsewhere');
  await allDelivered();
  const listener = await hear(await client(), 'room', {
    private: true,
    broadcast: { replay: { since: Date.now() - MINUTE_MS, limit: 2 } },
  });
  await listener.until(2);
  await say('room', 'four');
  await listener.until(3);
  expect(listener.heard).toMatchObject([
    { event: 'shout', payload: { text: 'two' }, meta: { id: expect.any(String), replayed: true } },
    { event: 'shout', payload: { text: 'three' }, meta: { replayed: true } },
    { event: 'shout', payload: { text: 'four' }, meta: { id: expect.any(String) } },
  ]);
  expect(listener.heard[2]?.meta).not.toHaveProperty('replayed');
});

test('broadcasts before the requested moment are not replayed, and never more than 25', async () => {
  await database.query(
    "select realtime.send(jsonb_build_object('text', n), 'shout', 'busy') from generate_series(1, 30) as n",
  );
  await database.query(
    "update realtime.messages set inserted_at = inserted_at - interval '1 hour' where payload ->> 'text' = '30'",
  );
  await allDelivered();
  const since = Date.now() - MINUTE_MS;
  const listener = await hear(await client(), 'busy', { private: true, broadcast: { replay: { since, limit: 1000 } } });
  await listener.until(25);
  await say('busy', 'the end');
  await listener.until(26);
  expect(listener.heard.map(({ payload }) => payload.text)).toEqual([
    ...Array.from({ length: 25 }, (_, index) => index + 5),
    'the end',
  ]);
});

test('binary broadcasts from SQL arrive as bytes, at once and when replayed', async () => {
  const now = await hear(await client(), 'bytes', { private: true });
  await database.query("select realtime.send_binary(decode('00ff07', 'hex'), 'picture', 'bytes')");
  await now.until(1);
  const replay = { since: Date.now() - MINUTE_MS };
  const later = await hear(await client(), 'bytes', { private: true, broadcast: { replay } });
  await later.until(1);
  for (const { heard } of [now, later]) {
    expect(heard[0]).toMatchObject({ event: 'picture', meta: { id: expect.any(String) } });
    expect(new Uint8Array(heard[0]?.payload as unknown as ArrayBuffer)).toEqual(Uint8Array.of(0, 255, 7));
  }
});

test('the newest large broadcasts that fit the bound are replayed', async () => {
  const large = 'x'.repeat(100 * 1024);
  await say('heavy', 'small, and before one that does not fit');
  for (const name of ['one', 'two', 'three']) await say('heavy', `${name} ${large}`);
  await allDelivered();
  const replay = { since: Date.now() - MINUTE_MS };
  const listener = await hear(await client(), 'heavy', { private: true, broadcast: { replay } });
  await say('heavy', 'the end');
  await listener.until(3);
  expect(listener.heard.map(({ payload }) => String(payload.text).slice(0, 10))).toEqual([
    'two xxxxxx',
    'three xxxx',
    'the end',
  ]);
});

test('a channel that cannot receive the presence list joins again, and gets earlier and new broadcasts', async () => {
  await say('crowd', 'before');
  await database.query('revoke select on realtime.presences from service_role');
  const listener = await hear(await client(), 'crowd', {
    private: true,
    presence: { enabled: true },
    broadcast: { replay: { since: Date.now() - MINUTE_MS } },
  });
  await expect.poll(() => server.logged.join('')).toContain('permission denied for table presences');
  await database.query('grant select on realtime.presences to service_role');
  await listener.until(1);
  await say('crowd', 'after');
  await listener.until(2);
  expect(listener.heard.map(({ payload }) => payload.text)).toEqual(['before', 'after']);
});

test('when too many broadcasts wait for a slow replay, the client joins again and misses none', async () => {
  // A join that checks access runs in a writing transaction; only the replay is read-only.
  await database.query(`create policy "slow to look at" on realtime.messages as restrictive for select to authenticated
    using (case when event = 'slow' and current_setting('transaction_read_only')::boolean
      then pg_advisory_xact_lock_shared(7) is not null else true end)`);
  await say('slow', 'before', 'slow');
  const holder = await database.pool.connect();
  try {
    await holder.query('select pg_advisory_lock(7)');
    const listener = await hear(await client(), 'slow', {
      private: true,
      broadcast: { replay: { since: Date.now() - MINUTE_MS, limit: 2 } },
    });
    const waiting = `select from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and not granted`;
    await expect.poll(() => database.query(waiting)).toHaveLength(1);
    await database.query(
      `select realtime.send(jsonb_build_object('text', n), 'shout', 'slow')
        from generate_series(0, ${REALTIME_LIMITS.heldBroadcasts}) as n`,
    );
    await expect.poll(() => listener.channel.state).toBe('errored');
    await holder.query('select pg_advisory_unlock(7)');
    await listener.until(2);
    expect(listener.heard.at(-1)).toMatchObject({ payload: { text: REALTIME_LIMITS.heldBroadcasts } });
  } finally {
    holder.release(true);
  }
});

test('broadcasts from SQL while the server has lost its database are delivered once it is back', async () => {
  await say('far', 'before');
  const line = await layBreakableLine(database.address);
  const far = await startTestServer(line, { environment: { REALTIME_PUBLIC_CHANNELS: 'true' } });
  const config = { private: true, broadcast: { replay: { since: Date.now() - MINUTE_MS } } };
  const listener = await hear(far.client({ token: await far.token({ sub: owner.id }) }), 'far', config);
  await listener.until(1);
  await line.cut();
  await say('far', 'in the gap');
  await line.mend();
  await listener.until(3);
  expect(listener.heard.map(({ payload }) => payload.text)).toEqual(['before', 'before', 'in the gap']);
});

test.each([
  ['on a public channel', { broadcast: { replay: { since: 0 } } }, 'Replay is not allowed for public channels'],
  ['without a time', { private: true, broadcast: { replay: {} } }, 'Replay params are not valid'],
  ['since a word', { private: true, broadcast: { replay: { since: 'noon' } } }, 'Replay params are not valid'],
  ['since the end of time', { private: true, broadcast: { replay: { since: 1e300 } } }, 'Replay params are not valid'],
  [
    'of half a message',
    { private: true, broadcast: { replay: { since: 0, limit: 0.5 } } },
    'Replay params are not valid',
  ],
])('a replay %s is refused', async (_case, config, reason) => {
  const socket = await openRawSocket(server.url, server.secrets.publishableKey);
  const access_token = await server.token({ sub: owner.id });
  expect(await socket.ask('1', '1', 'realtime:room', 'phx_join', { config, access_token })).toEqual({
    status: 'error',
    response: { reason: `UnableToReplayMessages: ${reason}` },
  });
  socket.ws.close();
});

test('a client that requests it is notified that broadcasts from the database reach it, and again after a gap', async () => {
  const channel = server.client().channel('ready', { config: { broadcast: { replication_ready: true } } });
  const reported: unknown[] = [];
  channel.on('system', {}, (message) => reported.push(message));
  channel.subscribe();
  await expect.poll(() => reported).toHaveLength(1);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'reunite notifications'`,
  );
  const ready = { extension: 'system', status: 'ok', message: 'Replication connection established', channel: 'ready' };
  await expect.poll(() => reported).toMatchObject([ready, ready]);
});
