import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openRawSocket } from './raw-socket.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { REALTIME_PUBLIC_CHANNELS: 'true' } });

const TOPIC = 'busy';
const LOCK = 46;

/** From an address of its own. */
async function broadcast(messages: number): Promise<Response> {
  return server.request('/realtime/v1/api/broadcast', {
    method: 'POST',
    headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ messages: Array(messages).fill({ topic: TOPIC, event: 'shout' }) }),
  });
}

test('broadcasts that arrive faster than they can be relayed are refused, without a line in the log [K31]', async () => {
  const socket = await openRawSocket(server.url, server.secrets.publishableKey);
  const config = { broadcast: { ack: true } };
  expect((await socket.ask('1', '1', `realtime:${TOPIC}`, 'phx_join', { config })).status).toBe('ok');

  // PostgreSQL accepts no broadcast until the holder lets go.
  await database.query(
    `create or replace function realtime.tell(channel text, message text) returns void
       language sql set search_path = '' as 'select pg_catalog.pg_advisory_xact_lock_shared(${LOCK})'`,
  );
  const holder = await database.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query('select pg_advisory_lock($1)', [LOCK]);
  const responses = Array.from({ length: 60 }, () => broadcast(100));
  const refused = await Promise.race(responses);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await broadcast(100)).status, 'all of a request, or nothing').toBe(429);
  const payload = { type: 'broadcast', event: 'shout', payload: {} };
  expect(await socket.ask('1', '99', `realtime:${TOPIC}`, 'broadcast', payload)).toMatchObject({
    status: 'error',
    response: { reason: expect.stringContaining('MessageRateLimitReached') },
  });

  await holder.query('select pg_advisory_unlock($1)', [LOCK]);
  expect(new Set((await Promise.all(responses)).map(({ status }) => status))).toEqual(new Set([202, 429]));
  expect(server.logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  socket.ws.close();
});
