import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { register } from './support/register.ts';
import { anEmail, aPhone, passTime, startAuthServer } from './support/start-auth-server.ts';

const database = await createTestDatabase();
const open = await startAuthServer(database);
const server = await startAuthServer(database, { config: { hideAccountExistence: true }, secrets: open.secrets });

const PASSWORD = 'correct horse';

test('signing up is answered alike for an address with an account and one without, and its owner gets a mail', async () => {
  const owner = await register(open);
  passTime(60_000);
  const [unknown, phone] = [anEmail(), aPhone()];
  const data = { full_name: 'Somebody', phone };
  const answers = [];
  for (const email of [owner.email, unknown]) {
    const { status, headers, body } = await server.call('POST', '/signup', { email, password: PASSWORD, data });
    expect(body.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.user_metadata.sub).toBe(body.id);
    const names = [...headers.keys()].sort();
    answers.push({
      status,
      names,
      body: JSON.parse(JSON.stringify(body).replaceAll(body.id, 'id').replaceAll(email, 'email')),
    });
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ status: 200, body: { role: '', identities: [], email: 'email' } });

  expect(server.delivery.texts, 'an SMS to the asker would tell').toEqual([]);
  const [toOwner, toNewcomer] = server.delivery.emails;
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

test('somebody who registers an address cannot find out by signing in whether it had an account', async () => {
  const owner = await register(open);
  const unknown = anEmail();
  passTime(60_000);
  for (const email of [owner.email, unknown]) {
    await server.call('POST', '/signup', { email, password: 'my own password', data: {} });
    expect(
      await server.call('POST', '/token?grant_type=password', { email, password: 'my own password' }),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials', message: 'Invalid login credentials' },
    });
  }
});

test('the gap between two codes is the same for both', async () => {
  const owner = await register(open);
  const unknown = anEmail();
  passTime(60_000);
  for (const email of [owner.email, unknown]) {
    const body = { email, password: PASSWORD, data: {} };
    expect((await server.call('POST', '/signup', body)).status).toBe(200);
    expect(await server.call('POST', '/signup', body)).toMatchObject({
      status: 429,
      body: { code: 'over_email_send_rate_limit' },
    });
  }
});

test('a mail server that is down shows in neither answer', async () => {
  const owner = await register(open);
  passTime(60_000);
  server.delivery.down = true;
  for (const email of [owner.email, anEmail()]) {
    expect((await server.call('POST', '/signup', { email, password: PASSWORD, data: {} })).status).toBe(200);
  }
  server.delivery.down = false;
});

async function timed(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

test('a sign-in that fails hashes once, whether the account is there, unconfirmed, without a password or not there', async () => {
  const [known, unconfirmed, passwordless, unknown] = [(await register(open)).email, anEmail(), anEmail(), anEmail()];
  await open.call('POST', '/signup', { email: unconfirmed, password: PASSWORD });
  await open.call('POST', '/otp', { email: passwordless });
  for (const email of [known, unconfirmed, passwordless, unknown]) {
    for (const password of ['wrong', '', 'x'.repeat(73)]) {
      const before = open.comparisons.length;
      await open.call('POST', '/token?grant_type=password', { email, password });
      expect(open.comparisons.length - before, `${email} ${password.length}`).toBe(1);
    }
  }
});

test('asking for a code takes its fixed time where there is nothing to send, on every server', async () => {
  for (const on of [open, server]) {
    for (const [path, body] of [
      ['/resend', { type: 'signup', email: anEmail() }],
      ['/otp', { email: anEmail(), create_user: false }],
    ] as const) {
      expect(await timed(() => on.call('POST', path, body)), path).toBeGreaterThanOrEqual(119);
    }
  }
});

test('an answer does not wait for a provider that is slow, which would tell', async () => {
  const owner = await register(open);
  passTime(60_000);
  let release: () => void = () => undefined;
  open.delivery.held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent = () => open.delivery.texts.filter(({ to }) => to === owner.phone).length;
  // Were it to wait, this call would never come back.
  expect((await open.call('POST', '/otp', { email: owner.email })).status).toBe(200);
  expect(sent()).toBe(1);
  release();
  open.delivery.held = undefined;
  await expect.poll(sent).toBe(2);
});
