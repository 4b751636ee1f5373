import { randomBytes } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import type { PushTarget } from '#server/delivery/push/web-push.ts';
import { makeSecrets } from '#server/start/secrets.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { startPushService } from '#tests/support/push-service.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';

const database = await createTestDatabase();
const pushService = await startPushService();
const secrets = await makeSecrets();
const server = await startTestServer(database, { secrets, outbound: pushService.outbound });
/** Reaches the internet only. */
const strict = await startTestServer(await createTestDatabase(), { secrets });
const { publicKey } = pushService.createSender(secrets.pushKey ?? '');
whenDone(() => expect(pushService.refused).toEqual([]));

function save(client: SupabaseClient, target: PushTarget) {
  return client.rpc('save_push_subscription', {
    endpoint_param: target.endpoint,
    p256dh_param: target.p256dh,
    auth_param: target.auth,
    server_key_param: publicKey,
  });
}

const subscribe = () => pushService.subscribe(publicKey);
const SHOWN = 'id, device, endpoint, server_key, shows_text, created_at, delivered_at, failing_since, ended_at';

test('a browser subscribes, receives a test and messages, and is removed', async () => {
  const owner = await registerOwner(server);
  const browser = subscribe();
  const { data: id, error } = await save(owner.client, browser);
  expect(error).toBeNull();
  const table = () => owner.client.from('push_subscriptions');
  expect((await table().select(SHOWN)).data).toEqual([
    expect.objectContaining({ id, endpoint: browser.endpoint, shows_text: false, delivered_at: null, ended_at: null }),
  ]);
  expect((await table().select('auth')).error).toMatchObject({ code: '42501' });

  expect((await owner.client.rpc('send_test_push', { subscription_id_param: id })).error).toBeNull();
  await expect.poll(() => browser.arrived).toHaveLength(1);
  expect(browser.arrived[0]).toMatchObject({ payload: { notification: { title: 'Notifications are working' } } });

  const item = await createItem(database, owner.user);
  await sendMessage(database, item, 'Here it is');
  await expect.poll(() => browser.arrived).toHaveLength(2);
  expect((await table().update({ shows_text: true }).eq('id', id)).error).toBeNull();
  await sendMessage(database, item, 'At the desk');
  await expect.poll(() => browser.arrived.at(-1)).toMatchObject({ payload: { notification: { body: 'At the desk' } } });

  expect((await table().delete().eq('id', id)).error).toBeNull();
  await sendMessage(database, item, 'Still there');
  expect((await table().select('id')).data).toEqual([]);
  const events = await database.query<{ event: string }>(
    "select event from auth.audit_log where user_id = $1 and event like 'push%' order by id",
    [owner.user.id],
  );
  expect(events.map(({ event }) => event)).toEqual(['push_subscription_added', 'push_subscription_removed']);
  expect(browser.arrived).toHaveLength(3);
});

test('a session has one subscription, and signing out removes it', async () => {
  const owner = await registerOwner(server);
  const [first, second] = [subscribe(), subscribe()];
  const { data: id } = await save(owner.client, first);
  expect((await save(owner.client, second)).data).toBe(id);
  const stored = () =>
    database.query('select endpoint from public.push_subscriptions where user_id = $1', [owner.user.id]);
  expect(await stored()).toEqual([{ endpoint: second.endpoint }]);
  await owner.client.auth.signOut();
  expect(await stored()).toEqual([]);
});

test('saving the same browser again does not end its wait after failures; another endpoint begins anew', async () => {
  const owner = await registerOwner(server);
  const browser = subscribe();
  const { data: id } = await save(owner.client, browser);
  await database.query(
    `update public.push_subscriptions
       set failures = 5, failing_since = now() - interval '1 hour', retry_at = now() + interval '1 hour' where id = $1`,
    [id],
  );
  const state = () =>
    database.query(
      `select failures, failing_since is not null as is_failing, retry_at > now() as waits
         from public.push_subscriptions where id = $1`,
      [id],
    );
  expect((await save(owner.client, browser)).data).toBe(id);
  expect(await state()).toEqual([{ failures: 5, is_failing: true, waits: true }]);
  expect((await save(owner.client, subscribe())).data).toBe(id);
  expect(await state()).toEqual([{ failures: 0, is_failing: false, waits: null }]);
});

test('a shared browser notifies the account that subscribed last, and only who knows its secret can take it [K55]', async () => {
  const [one, other, thief] = [await registerOwner(server), await registerOwner(server), await registerOwner(server)];
  const browser = subscribe();
  await save(one.client, browser);
  const stolen = await save(thief.client, { ...browser, auth: randomBytes(16).toString('base64url') });
  expect(stolen.error).toMatchObject({ code: '23505' });
  expect((await save(other.client, browser)).error).toBeNull();
  const owners = await database.query('select user_id from public.push_subscriptions where endpoint = $1', [
    browser.endpoint,
  ]);
  expect(owners).toEqual([{ user_id: other.user.id }]);
});

test('an account has ten; the least recently used one goes', async () => {
  const owner = await registerOwner(server);
  await database.query(
    `with session as (insert into auth.sessions (user_id) select $1 from generate_series(1, 10) returning id)
     insert into public.push_subscriptions (user_id, session_id, device, endpoint, p256dh, auth, server_key, delivered_at)
       select $1, id, 'Old', 'https://push.example.com/' || id, 'B' || repeat('p', 86), repeat('a', 22),
         'B' || repeat('s', 86), now() - make_interval(days => (row_number() over ())::int) from session`,
    [owner.user.id],
  );
  await save(owner.client, subscribe());
  const [kept] = await database.query(
    `select count(*)::int, max(extract(day from now() - delivered_at))::int as oldest
       from public.push_subscriptions where user_id = $1`,
    [owner.user.id],
  );
  expect(kept).toEqual({ count: 10, oldest: 9 });
});

test.each([
  'http://push.example.com/1',
  'https://127.0.0.1/1',
  'https://[::ffff:169.254.169.254]/1',
  'https://name@push.example.com/1',
  'https://push.example.com:8443/1',
  `https://push.example.com/${'x'.repeat(1_000)}`,
  'https://push.example.com/a b',
])('%s is refused [K55]', async (endpoint) => {
  const owner = await registerOwner(strict);
  const { status, error } = await save(owner.client, { ...subscribe(), endpoint });
  expect({ status, error }).toMatchObject({ status: 400, error: { code: expect.stringMatching(/^(22023|23514)$/) } });
});

test('a key that is no point of the curve is refused, and so are a visitor and more than thirty in an hour', async () => {
  const owner = await registerOwner(server);
  const point = `B${'p'.repeat(86)}`;
  expect((await save(owner.client, { ...subscribe(), p256dh: point })).error).toMatchObject({ code: '22023' });
  expect((await save(server.client(), subscribe())).error).toMatchObject({ code: '42501' });
  const browser = subscribe();
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) statuses.push((await save(owner.client, browser)).status);
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
});

test('a server without a key of Web Push says so', async () => {
  const without = await startTestServer(database, { secrets: { ...secrets, pushKey: null } });
  const owner = await registerOwner(without);
  expect(await save(owner.client, subscribe())).toMatchObject({ status: 404, error: { code: 'PT404' } });
});
