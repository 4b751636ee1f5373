import { expect, test } from 'vitest';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });

const DAY = 24 * 3_600_000;
const NEEDED = {
  status: 400,
  code: 'reauthentication_needed',
  message: 'Password update requires reauthentication',
};

/** An owner whose session is a day old, through the official client. */
async function returningOwner(on = server) {
  const owner = await registerOwner(on);
  await on.delivery.takeSmsTo(owner.phone);
  clock.advance(DAY);
  expect((await owner.client.auth.refreshSession()).error).toBeNull();
  return owner;
}

test('an old session changes the password with a code that goes to what the account has proved, once', async () => {
  const owner = await returningOwner();
  const { auth } = owner.client;
  expect((await auth.updateUser({ password: 'another horse' })).error).toMatchObject(NEEDED);
  expect((await auth.reauthenticate()).error).toBeNull();
  const nonce = codeIn(await server.delivery.takeSmsTo(owner.phone));
  const wrong = String((Number(nonce) + 1) % 1_000_000).padStart(6, '0');
  expect((await auth.updateUser({ password: 'another horse', nonce: wrong })).error).toMatchObject({
    status: 422,
    code: 'reauthentication_not_valid',
  });
  expect((await auth.updateUser({ password: 'another horse', nonce })).error).toBeNull();
  expect((await auth.updateUser({ password: 'a third horse', nonce })).error, 'used').toMatchObject({
    code: 'reauthentication_not_valid',
  });
  const signIn = await server.client().auth.signInWithPassword({ email: owner.email, password: 'another horse' });
  expect(signIn.error).toBeNull();
});

test('five wrong codes end the right one; it serves no other purpose, and codes of other accounts are refused', async () => {
  const [owner, other] = [await returningOwner(), await returningOwner()];
  await owner.client.auth.reauthenticate();
  await other.client.auth.reauthenticate();
  const nonce = codeIn(await server.delivery.takeSmsTo(owner.phone));
  const foreign = codeIn(await server.delivery.takeSmsTo(other.phone));
  for (const type of ['signup', 'magiclink', 'recovery', 'email'] as const) {
    const { error } = await server.client().auth.verifyOtp({ email: owner.email, token: nonce, type });
    expect(error).toMatchObject({ code: 'otp_expired' });
  }
  const tries = [foreign, ...[1, 2, 3, 4].map((by) => String((Number(nonce) + by) % 1_000_000).padStart(6, '0'))];
  for (const guess of [...tries.filter((guess) => guess !== nonce), nonce]) {
    const { error } = await owner.client.auth.updateUser({ password: 'another horse', nonce: guess });
    expect(error).toMatchObject({ code: 'reauthentication_not_valid' });
  }
});

test('the current password is accepted instead of a code, and a wrong one never is', async () => {
  const owner = await returningOwner();
  const bearer = { Authorization: `Bearer ${(await owner.client.auth.getSession()).data.session?.access_token}` };
  const change = (body: object) => callAuth(server, 'PUT', '/user', { password: 'another horse', ...body }, bearer);
  for (const wrong of ['wrong', 'x'.repeat(2_000)]) {
    expect(await change({ current_password: wrong })).toMatchObject({
      status: 400,
      body: { code: 'current_password_invalid' },
    });
  }
  expect((await change({ current_password: owner.password })).status).toBe(200);
});

test('a reauthentication code can be requested again after a minute, and a failure to send it is reported', async () => {
  const owner = await returningOwner();
  const { auth } = owner.client;
  server.delivery.down = true;
  expect((await auth.reauthenticate()).error).toMatchObject({ code: 'sms_send_failed' });
  server.delivery.down = false;
  expect((await auth.reauthenticate()).error).toBeNull();
  expect((await auth.reauthenticate()).error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' });
});

test('an account without a reachable proved identifier gets a refusal that says so', async () => {
  const first = await registerOwner(server);
  const second = await registerOwner(server, { phone: first.phone });
  expect((await second.client.auth.reauthenticate()).error).toMatchObject({ status: 422, code: 'validation_failed' });
});

test.each([
  ['as the current password', 'current_password_invalid', { password: 'another horse' }, 'current_password'],
  // The password is not changed together with a refused change, and the request can be repeated.
  ['as the new password', 'over_sms_send_rate_limit', { phone: '+12125550101' }, 'password'],
])(
  'a stolen session can guess the password, %s, ten times an hour; another session can still change it',
  async (_name, reported, change, field) => {
    const owner = await registerOwner(server);
    await owner.client.auth.updateUser({ phone: '+12125550102' });
    const bearer = { Authorization: `Bearer ${owner.session.access_token}` };
    const guess = (password: string) => callAuth(server, 'PUT', '/user', { ...change, [field]: password }, bearer);
    for (let guesses = 1; guesses <= 10; guesses += 1) {
      expect((await guess(`wrong horse ${guesses}`)).body.code).toBe(reported);
    }
    const response = await guess(owner.password);
    expect(response).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);

    const { auth } = server.client();
    expect((await auth.signInWithPassword(owner)).error).toBeNull();
    expect((await auth.updateUser({ password: 'another horse' })).error).toBeNull();
  },
);

test('a new password ends the change of address and of number that a stolen session began', async () => {
  const owner = await registerOwner(server);
  await server.delivery.takeSmsTo(owner.phone);
  const thief = server.client();
  await thief.auth.signInWithPassword(owner);
  const [email, phone] = [anEmail(), aPhone()];
  // The address was never proved, so only the new one must confirm.
  expect((await thief.auth.updateUser({ email })).error).toBeNull();
  expect((await thief.auth.updateUser({ phone })).error).toBeNull();
  const [byMail, bySms] = [
    codeIn(await server.delivery.takeEmailTo(email)),
    codeIn(await server.delivery.takeSmsTo(phone)),
  ];

  const { data } = await owner.client.auth.updateUser({ password: 'another horse' });
  expect(data.user).toMatchObject({ email: owner.email, phone: owner.phone.slice(1) });
  expect(data.user).not.toHaveProperty('new_email');
  expect(data.user).not.toHaveProperty('new_phone');
  const { auth } = server.client();
  for (const attempt of [
    { email, token: byMail, type: 'email_change' },
    { phone, token: bySms, type: 'phone_change' },
  ] as const) {
    expect((await auth.verifyOtp(attempt)).error).toMatchObject({ status: 403, code: 'otp_expired' });
  }
});

test('an account reveals to its owner alone whether it has a password', async () => {
  const states = (client: ReturnType<typeof server.client>) => client.rpc('has_password');
  expect((await states((await registerOwner(server)).client)).data).toBe(true);
  const [client, email] = [server.client(), anEmail()];
  await client.auth.signInWithOtp({ email });
  const token = codeIn(await server.delivery.takeEmailTo(email));
  expect((await client.auth.verifyOtp({ email, token, type: 'email' })).error).toBeNull();
  expect((await states(client)).data, 'it began with a code').toBe(false);
  expect((await client.auth.updateUser({ password: 'correct horse' })).error).toBeNull();
  expect((await states(client)).data).toBe(true);
  expect((await states(server.client())).error?.code).toBe('42501');
});
