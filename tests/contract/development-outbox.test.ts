import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createDevelopmentDelivery } from '#server/delivery/development/development-delivery.ts';
import { developmentOutboxRoutes } from '#server/delivery/development/development-outbox-routes.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const testDatabase = await createTestDatabase();
const database = openDatabase({ address: testDatabase.address, log: quietLog, development: true });
afterAll(() => database.close());
const delivery = createDevelopmentDelivery({ database, log: quietLog });
const stopping = new AbortController();
const app = new Hono().route(
  '/dev',
  developmentOutboxRoutes({ config: readConfig({ DEV_TEST_OTP: '654321' }), database }, stopping.signal),
);
const host = { host: 'localhost:3000' };
const get = (path: string, headers: Record<string, string> = host) => app.request(path, { headers });

type Owner = Awaited<ReturnType<typeof createOwner>>;

/** Stores a code as the auth service does, and sends it. */
async function sendCode({ id, phone }: Owner, code: string): Promise<void> {
  await testDatabase.query(
    `insert into auth.one_time_tokens (user_id, token_type, token_hash, link_hash, relates_to, channel, expires_at, link_expires_at)
       values ($1, 'confirmation', $2, $3, $4, 'sms', now() + interval '10 minutes', now() + interval '1 hour')`,
    [id, Buffer.from(code), Buffer.from(`link ${id} ${code}`), phone],
  );
  await delivery.sendSms({ to: phone, text: `Your code is ${code}`, key: `code:${id}:${code}` });
}

/** Makes the owner's account one whose sign-up is not confirmed. */
async function unconfirm({ id }: Owner): Promise<void> {
  await testDatabase.query(
    'update auth.users set claimed_email = email, email = null, email_confirmed_at = null where id = $1',
    [id],
  );
}

test('an empty outbox says so', async () => {
  expect(await (await get('/dev/outbox')).text()).toContain('Nothing yet');
  expect(await (await get('/dev/outbox.json')).json()).toEqual([]);
});

test('every message is listed, newest first, and its content is escaped', async () => {
  await delivery.sendSms({
    to: '+972501234567',
    text: 'Your code is 482913\n\n@localhost #482913',
    key: 'code:someone:1',
  });
  await delivery.sendSms({ to: '+972507654321', text: 'Your code is 728190', key: 'challenge:of-a-second-factor' });
  await delivery.sendEmail({
    to: 'dana@example.com',
    subject: '<img src=x onerror=alert(1)>',
    text: '</pre><script>alert(2)</script>\nhttps://evil.example/x and http://localhost:3000/item/tgt-abc\nhttp://localhost:3000/auth/callback#token_hash=a_b-C&type=email',
  });
  expect(await (await get('/dev/outbox.json')).json()).toMatchObject([
    { channel: 'email', recipient: 'dana@example.com', subject: '<img src=x onerror=alert(1)>', code: null },
    { channel: 'sms', recipient: '+972507654321', subject: null, code: '728190' },
    { channel: 'sms', recipient: '+972501234567', subject: null, code: '482913' },
  ]);
  const response = await get('/dev/outbox');
  const page = await response.text();
  expect(page.indexOf('dana@example.com')).toBeLessThan(page.indexOf('+972501234567'));
  expect(page).toContain('<span class="code">482913</span>');
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page).not.toContain('<img');
  expect(page).not.toContain('alert(2)</script>');
  expect(page).toContain('<a href="http://localhost:3000/item/tgt-abc">');
  expect(page).toContain('<a href="http://localhost:3000/auth/callback#token_hash=a_b-C&amp;type=email">');
  expect(page).not.toContain('<a href="https://evil.example');
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test.each([
  ['a foreign name that points here', { host: 'evil.example:3000' }],
  ['a foreign name that looks like an address', { host: '127.0.0.1.evil.example' }],
  ['no name', {}],
  ['a page of another site', { ...host, 'sec-fetch-site': 'cross-site' }],
  ['a page of another port', { ...host, 'sec-fetch-site': 'same-site' }],
])('%s is refused', async (_, headers: Record<string, string>) => {
  for (const path of ['/dev/outbox', '/dev/outbox.json', '/dev/outbox/code?email=a@b.c', '/dev/outbox/events']) {
    const response = await get(path, headers);
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000', '192.168.1.7:3000'])(
  'the host %s is this machine',
  async (name) => {
    expect((await get('/dev/outbox', { host: name, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  },
);

test('the newest code of a sign-up that is not confirmed can be looked up, and no other', async () => {
  const owner = await createOwner(testDatabase, { email: 'new@example.com' });
  const code = () => get('/dev/outbox/code?email=%20New@example.com');
  await sendCode(owner, '111111');
  await sendCode(owner, '222222');
  expect((await code()).status).toBe(404);
  await unconfirm(owner);
  expect(await (await code()).json()).toEqual({ code: '222222', backup_code: '654321' });
  expect((await get('/dev/outbox/code?email=other@example.com')).status).toBe(404);
  expect((await get('/dev/outbox/code')).status).toBe(404);
});

test.each([
  ['has expired', 'expires_at = now()'],
  ['has no tries left', 'own_attempts = 5'],
])('a code that %s is not shown, and the next one is', async (_, change) => {
  const email = `${crypto.randomUUID()}@example.com`;
  const owner = await createOwner(testDatabase, { email });
  const code = () => get(`/dev/outbox/code?email=${email}`);
  await sendCode(owner, '333333');
  await unconfirm(owner);
  await testDatabase.query(`update auth.one_time_tokens set ${change} where user_id = $1`, [owner.id]);
  expect((await code()).status).toBe(404);
  await sendCode(owner, '444444');
  expect(await (await code()).json()).toMatchObject({ code: '444444' });
});

test('the stream announces a new message at once, and ends when the server stops', async () => {
  const response = await get('/dev/outbox/events');
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain(': listening');
  await delivery.sendSms({ to: '+972500000000', text: 'now' });
  expect((await reader?.read())?.value).toMatch(/^data: \d+\n/);
  stopping.abort();
  expect((await reader?.read())?.done).toBe(true);
});

test('any other path is a 404', async () => {
  for (const path of ['/dev/nothing', '/dev/outbox/nothing']) expect((await get(path)).status).toBe(404);
});
