import { expect, test } from 'vitest';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

test('an owner signs in with the number that they have proved, with or without its plus', async () => {
  const { user, phone, password } = await registerOwner(server, { phone: aPhone() });
  for (const written of [phone, phone.slice(1)]) {
    const { data, error } = await server.client().auth.signInWithPassword({ phone: written, password });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(user.id);
    const times = [data.user?.identities?.[0]?.last_sign_in_at, data.user?.last_sign_in_at];
    expect(new Set(times.map((time) => Date.parse(time ?? ''))).size, 'both are of this sign-in').toBe(1);
  }
});

test('a wrong password, an unknown number, and an unproved number get the same response', async () => {
  const { phone } = await registerOwner(server, { phone: aPhone() });
  const typed = aPhone();
  await server
    .client()
    .auth.signUp({ email: anEmail(), password: 'correct horse', options: { data: { phone: typed } } });
  const responses = await Promise.all(
    [
      { phone, password: 'wrong horse' },
      { phone: aPhone(), password: 'correct horse' },
      { phone: typed, password: 'correct horse' },
    ].map((body) => callAuth(server, 'POST', '/token?grant_type=password', body)),
  );
  for (const { status, body } of responses) {
    expect({ status, body }).toEqual({
      status: 400,
      body: { code: 'invalid_credentials', message: 'Invalid login credentials' },
    });
  }
});

test('ten wrong passwords for a number from one address make the right one wait, with and without an account', async () => {
  const { phone, password } = await registerOwner(server, { phone: aPhone() });
  for (const number of [phone, aPhone()]) {
    const address = anAddress();
    const attempt = (attempted: string) =>
      server.client({ address }).auth.signInWithPassword({ phone: number, password: attempted });
    for (let wrong = 0; wrong < 10; wrong += 1) {
      expect((await attempt(`wrong ${wrong}`)).error).toMatchObject({ code: 'invalid_credentials' });
    }
    expect((await attempt(password)).error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  }
});

test('a number that an operator set and that is unproved gets the same response as an unknown number', async () => {
  const [email, phone, password] = [anEmail(), aPhone(), 'correct horse'];
  const operator = server.client({ key: server.secrets.secretKey }).auth.admin;
  const made = await operator.createUser({ email, phone, password, email_confirm: true });
  expect(made.data.user).toMatchObject({ phone: phone.slice(1) });
  const [unproved, unowned] = await Promise.all(
    [phone, aPhone()].map((number) =>
      callAuth(server, 'POST', '/token?grant_type=password', { phone: number, password }),
    ),
  );
  expect(unproved).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } });
  expect(unproved?.body).toEqual(unowned?.body);
  expect((await server.client().auth.signInWithPassword({ email, password })).data.user?.id).toBe(made.data.user?.id);
  await operator.updateUserById(made.data.user?.id ?? '', { phone_confirm: true });
  expect((await server.client().auth.signInWithPassword({ phone, password })).data.user?.id).toBe(made.data.user?.id);
});

test('a malformed number is refused as malformed', async () => {
  const response = await callAuth(server, 'POST', '/token?grant_type=password', {
    phone: '12',
    password: 'correct horse',
  });
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});
