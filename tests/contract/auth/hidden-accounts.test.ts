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
