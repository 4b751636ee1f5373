import { expect, test } from 'vitest';
import { UNIFORM_RESPONSE_MS } from '#server/auth/auth-service.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { watchedHasher } from './support/watch-comparisons.ts';

const comparing = watchedHasher();
const database = await createTestDatabase();
const clock = holdTime();
const open = await startTestServer(database, { auth: { passwords: comparing }, clock });
const server = await startTestServer(database, {
  auth: { passwords: comparing },
  environment: { HIDE_ACCOUNT_EXISTENCE: 'true' },
  secrets: open.secrets,
  clock,
});

const PASSWORD = 'correct horse';

test('a sign-up gets the same response with and without an account at the address, and its owner gets an email [A9]', async () => {
  const owner = await registerOwner(open, { phone: '' });
  clock.advance(60_000);
  const [unknown, phone] = [anEmail(), aPhone()];
  const data = { full_name: 'Somebody', phone };
  const responses = [];
  for (const email of [owner.email, unknown]) {
    const { status, headers, body } = await callAuth(server, 'POST', '/signup', { email, password: PASSWORD, data });
    expect(body.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.user_metadata.sub).toBe(body.id);
    const names = [...headers.keys()].sort();
    responses.push({
      status,
      names,
      body: JSON.parse(JSON.stringify(body).replaceAll(body.id, 'id').replaceAll(email, 'email')),
    });
  }
  expect(responses[0]).toEqual(responses[1]);
  expect(responses[0]).toMatchObject({ status: 200, body: { role: '', identities: [], email: 'email' } });

  expect(server.delivery.texts, 'an SMS to the asker would tell').toEqual([]);
  const [toOwner, toNewcomer] = server.delivery.emails.filter(({ key }) => !key?.startsWith('account:'));
  expect(toOwner).toMatchObject({ to: owner.email, subject: 'You already have a Reunite account' });
  expect(toOwner?.text).toContain(`${server.url}/auth?mode=login`);
  expect(toNewcomer?.to).toBe(unknown);

  const { data: verified } = await server
    .client()
    .auth.verifyOtp({ email: unknown, token: server.delivery.codeFor(unknown), type: 'signup' });
  expect(verified.user).toMatchObject({ email: unknown, role: 'authenticated' });
  // The account that was there is as it was.
  expect(
    (await server.client().auth.signInWithPassword({ email: owner.email, password: owner.password })).error,
  ).toBeNull();
});

test('a client that registers an address cannot learn by signing in whether it had an account', async () => {
  const owner = await registerOwner(open);
  const unknown = anEmail();
  clock.advance(60_000);
  for (const email of [owner.email, unknown]) {
    await callAuth(server, 'POST', '/signup', { email, password: 'my own password', data: {} });
    expect(
      await callAuth(server, 'POST', '/token?grant_type=password', { email, password: 'my own password' }),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials', message: 'Invalid login credentials' },
    });
  }
});

test('the gap between two codes is the same with and without an account', async () => {
  const owner = await registerOwner(open);
  const unknown = anEmail();
  clock.advance(60_000);
  for (const email of [owner.email, unknown]) {
    const body = { email, password: PASSWORD, data: {} };
    const from = { 'X-Forwarded-For': anAddress() };
    expect((await callAuth(server, 'POST', '/signup', body, from)).status).toBe(200);
    expect(await callAuth(server, 'POST', '/signup', body, from)).toMatchObject({
      status: 429,
      body: { code: 'over_email_send_rate_limit' },
    });
  }
});

test('a failing mail server changes neither response', async () => {
  const owner = await registerOwner(open);
  clock.advance(60_000);
  server.delivery.down = true;
  for (const email of [owner.email, anEmail()]) {
    expect((await callAuth(server, 'POST', '/signup', { email, password: PASSWORD, data: {} })).status).toBe(200);
  }
  server.delivery.down = false;
});

async function timed(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

test('a failed sign-in hashes once, whether the account exists, is unconfirmed, has no password, or does not exist [A9]', async () => {
  const [known, unconfirmed, passwordless, unknown] = [
    (await registerOwner(open)).email,
    anEmail(),
    anEmail(),
    anEmail(),
  ];
  await callAuth(open, 'POST', '/signup', { email: unconfirmed, password: PASSWORD });
  await callAuth(open, 'POST', '/otp', { email: passwordless });
  for (const email of [known, unconfirmed, passwordless, unknown]) {
    for (const password of ['wrong', '', 'x'.repeat(73)]) {
      const before = comparing.count;
      await callAuth(open, 'POST', '/token?grant_type=password', { email, password });
      expect(comparing.count - before, `${email} ${password.length}`).toBe(1);
    }
  }
});

test('a request for a code takes its fixed time when there is nothing to send, on every server [A9]', async () => {
  for (const environment of [{}, { HIDE_ACCOUNT_EXISTENCE: 'true' }]) {
    const on = await startTestServer(database, {
      auth: { uniformResponseMs: UNIFORM_RESPONSE_MS },
      environment,
      clock,
    });
    for (const [path, body] of [
      ['/resend', { type: 'signup', email: anEmail() }],
      ['/otp', { email: anEmail(), create_user: false }],
      ['/recover', { email: anEmail() }],
    ] as const) {
      expect(await timed(() => callAuth(on, 'POST', path, body)), path).toBeGreaterThanOrEqual(UNIFORM_RESPONSE_MS - 1);
    }
  }
});

test('a response does not wait for a slow provider, which would reveal the account', async () => {
  const slow = await startTestServer(database, { auth: { uniformResponseMs: UNIFORM_RESPONSE_MS }, clock });
  const owner = await registerOwner(slow, { phone: '' });
  clock.advance(60_000);
  let release: () => void = () => undefined;
  slow.delivery.held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent = () => slow.delivery.emails.filter(({ to }) => to === owner.email).length;
  // If it waited, this request would never return.
  expect((await callAuth(slow, 'POST', '/otp', { email: owner.email })).status).toBe(200);
  expect(sent()).toBe(1);
  release();
  slow.delivery.held = undefined;
  await expect.poll(sent).toBe(2);
});
