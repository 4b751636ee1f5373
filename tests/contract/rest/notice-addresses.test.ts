import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { startNoticeReceiver, verifyWebhook } from '#tests/support/notice-receiver.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const receiver = await startNoticeReceiver();
const server = await startTestServer(database, { outbound: receiver.outbound });
/** Reaches the internet only. */
const strict = await startTestServer(await createTestDatabase());

function add(client: SupabaseClient, url: string, more: Readonly<Record<string, unknown>> = {}) {
  return client.rpc('add_notice_address', { kind_param: 'webhook', name_param: 'Home', url_param: url, ...more });
}

test('an address is added after a recent sign-in alone', async () => {
  const owner = await registerOwner(server);
  await database.query("update auth.sessions set proved_at = now() - interval '2 days' where user_id = $1", [
    owner.user.id,
  ]);
  const { error, status } = await add(owner.client, `${receiver.https}/old`);
  expect([status, error?.code]).toEqual([403, 'PT403']);
  expect((await owner.client.from('notice_addresses').select('id')).data).toEqual([]);
});

test('an owner is mailed about a new address, by its host alone', async () => {
  const owner = await registerOwner(server, { phone: '' });
  const { hostname } = new URL(receiver.https);
  // Refused, so nothing is mailed.
  await add(owner.client, 'https://10.0.0.1/');
  expect((await add(owner.client, `${receiver.https}/mailed-about?token=secret`)).error).toBeNull();
  const mails = () => server.delivery.emails.filter(({ to, key }) => to === owner.email && key?.startsWith('change:'));
  await expect.poll(mails).toHaveLength(1);
  const [mail] = mails();
  expect(mail?.subject).toBe('Your Reunite account has a new notification address');
  expect(mail?.text).toContain(`notifies ${hostname} when a finder writes`);
  expect(mail?.text).not.toMatch(/secret|mailed-about/);
});

test('an owner adds a webhook, sees its secret once, tests it, is notified, and removes it', async () => {
  const owner = await registerOwner(server);
  const { data, error } = await add(owner.client, `${receiver.https}/one`);
  expect(error).toBeNull();
  expect(data).toEqual({
    id: expect.any(String),
    kind: 'webhook',
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const { id, secret } = data as { id: string; secret: string };
  const table = () => owner.client.from('notice_addresses');
  const shown = await table().select('id, kind, name, url, shows_text, last_status, delivered_at, ended_at');
  expect(shown.data).toEqual([
    {
      id,
      kind: 'webhook',
      name: 'Home',
      url: `${receiver.https}/one`,
      shows_text: false,
      last_status: null,
      delivered_at: null,
      ended_at: null,
    },
  ]);
  expect((await table().select('token')).error).toMatchObject({ code: '42501' });

  expect((await owner.client.rpc('send_test_notice', { address_id_param: id })).error).toBeNull();
  await expect.poll(() => receiver.arrivedAt('/one')).toHaveLength(1);
  const [request] = receiver.arrivedAt('/one');
  expect(request && verifyWebhook(request, secret)).toMatchObject({ type: 'test', data: {} });
  await expect.poll(async () => (await table().select('last_status')).data).toEqual([{ last_status: 200 }]);

  const item = await createItem(database, owner.user);
  expect((await table().update({ shows_text: true, name: 'House' }).eq('id', id)).error).toBeNull();
  await sendMessage(database, item, 'At the desk');
  await expect.poll(() => receiver.arrivedAt('/one')).toHaveLength(2);
  expect(receiver.arrivedAt('/one')[1]?.body).toContain('At the desk');

  expect((await table().delete().eq('id', id)).error).toBeNull();
  await sendMessage(database, item, 'Still there');
  expect(receiver.arrivedAt('/one')).toHaveLength(2);
  const events = await database.query<{ event: string }>(
    "select event from auth.audit_log where user_id = $1 and event like 'notice_address%' order by id",
    [owner.user.id],
  );
  expect(events.map(({ event }) => event)).toEqual([
    'notice_address_added',
    'notice_address_widened',
    'notice_address_removed',
  ]);
});

test('a topic of ntfy has a token that no client reads, and no secret', async () => {
  const owner = await registerOwner(server);
  const more = { kind_param: 'ntfy', token_param: 'tk_secret' };
  const { data } = await add(owner.client, `${receiver.http}/topic`, more);
  expect(data).toEqual({ id: expect.any(String), kind: 'ntfy', secret: null });
  await owner.client.rpc('send_test_notice', { address_id_param: (data as { id: string }).id });
  await expect.poll(() => receiver.arrivedAt('/topic')).toHaveLength(1);
  expect(receiver.arrivedAt('/topic')[0]).toMatchObject({
    headers: { title: 'Notifications are working', authorization: 'Bearer tk_secret' },
  });
});

test('an account has five addresses, also where many are added at once, and each of them once', async () => {
  const owner = await registerOwner(server);
  const added = await Promise.all(
    Array.from({ length: 8 }, (_, n) => add(owner.client, `${receiver.https}/many-${n}`)),
  );
  expect(added.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 409, 409, 409]);
  const { data } = await owner.client.from('notice_addresses').select('id, url');
  expect(data).toHaveLength(5);
  const [kept] = data ?? [];
  await owner.client.from('notice_addresses').delete().neq('id', kept?.id);
  expect(await add(owner.client, kept?.url)).toMatchObject({ status: 409, error: { code: '23505' } });
});

test.each([
  'http://hook.example.com/1',
  'https://127.0.0.1/1',
  'https://2130706433/1',
  'https://0177.0.0.1/1',
  'https://[::ffff:169.254.169.254]/1',
  'https://[fe80::1%25eth0]/1',
  'https://name@hook.example.com/1',
  'https://hook.example.com:8443/1',
  'file:///etc/passwd',
  'hook.example.com',
  `https://hook.example.com/${'x'.repeat(1_000)}`,
  'https://hook.example.com/a b',
  'https://hook.example.com/\r\nX-Injected: yes',
])('%s is refused', async (url) => {
  const owner = await registerOwner(strict);
  const { status, error } = await add(owner.client, url);
  expect({ status, error }).toMatchObject({ status: 400, error: { code: expect.stringMatching(/^(22023|23514)$/) } });
  expect((await owner.client.from('notice_addresses').select('id')).data).toEqual([]);
});

test.each([
  { kind_param: 'email' },
  { name_param: '' },
  { name_param: ' ' },
  { name_param: 'Home\nX-Injected: yes' },
  { name_param: 'x'.repeat(41) },
  { kind_param: 'ntfy', token_param: 'tk\r\nX-Injected: yes' },
  { kind_param: 'ntfy', token_param: 'x'.repeat(201) },
  { token_param: 'tk_for_a_webhook' },
])('%j is refused', async (more) => {
  const owner = await registerOwner(server);
  expect(await add(owner.client, `${receiver.https}/refused`, more)).toMatchObject({
    status: 400,
    error: { code: '23514' },
  });
});

test('visitors have none, and an account adds at most thirty in an hour', async () => {
  expect((await add(server.client(), `${receiver.https}/visitor`)).error).toMatchObject({ code: '42501' });
  const owner = await registerOwner(server);
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1)
    statuses.push((await add(owner.client, `${receiver.https}/full-${count}`)).status);
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => 200), ...Array.from({ length: 25 }, () => 409), 429]);
});
