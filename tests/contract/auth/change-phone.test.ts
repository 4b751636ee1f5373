import { expect, test } from 'vitest';
import { catchDelivery, codeIn } from '#tests/support/delivery-catcher.ts';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });
const { secrets } = server;
const trusting = await startTestServer(database, {
  clock,
  secrets,
  environment: { PHONE_AUTOCONFIRM: 'true' },
});
const withoutSms = await startTestServer(database, {
  clock,
  secrets,
  delivery: catchDelivery({ hasSms: false }),
});

const REFUSED = { status: 403, code: 'otp_expired' };

async function settledOwner(phone = aPhone(), on = server) {
  const owner = await registerOwner(on, { phone });
  await on.delivery.takeSmsTo(phone);
  clock.advance(60_000);
  return owner;
}

test('a number changes once the code that went to it is typed, in the profile too', async () => {
  const owner = await settledOwner();
  const phone = aPhone();
  const { data, error } = await owner.client.auth.updateUser({ phone });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ phone: owner.phone.slice(1), new_phone: phone.slice(1) });
  const token = codeIn(await server.delivery.takeSmsTo(phone));
  const { auth } = server.client();
  for (const type of ['sms', 'phone_change'] as const) {
    const { error: refused } = await auth.verifyOtp({ phone: owner.phone, token, type });
    expect(refused, `${type} with the old number`).toMatchObject(REFUSED);
  }
  expect((await auth.verifyOtp({ phone, token, type: 'sms' })).error, 'it signs in nobody').toMatchObject(REFUSED);
  const verified = await auth.verifyOtp({ phone, token, type: 'phone_change' });
  expect(verified.data.user).toMatchObject({
    id: owner.user.id,
    phone: phone.slice(1),
    user_metadata: { phone, phone_verified: true },
  });
  expect(verified.data.user).not.toHaveProperty('new_phone');
  expect(await database.query('select phone from public.profiles where id = $1', [owner.user.id])).toEqual([{ phone }]);
  expect((await auth.verifyOtp({ phone, token, type: 'phone_change' })).error).toMatchObject(REFUSED);
});

test('a number that another account has gets the same response as a free one; the code sent there changes nothing [K7]', async () => {
  const [owner, other] = [await settledOwner(), await settledOwner()];
  const { data, error } = await owner.client.auth.updateUser({ phone: other.phone });
  expect(error).toBeNull();
  expect(data.user?.new_phone).toBe(other.phone.slice(1));
  expect((await owner.client.auth.updateUser({ phone: aPhone() })).error).toMatchObject({ status: 429 });
  const token = codeIn(await server.delivery.takeSmsTo(other.phone));
  const verified = await server.client().auth.verifyOtp({ phone: other.phone, token, type: 'phone_change' });
  expect(verified.error).toMatchObject({ status: 422, code: 'phone_exists' });
  expect(await database.query('select id from auth.users where phone = $1', [other.phone.slice(1)])).toEqual([
    { id: other.user.id },
  ]);
});

test('a number that another account proved in between is refused to the one who types its code', async () => {
  const owner = await settledOwner();
  const phone = aPhone();
  await owner.client.auth.updateUser({ phone });
  const token = codeIn(await server.delivery.takeSmsTo(phone));
  await settledOwner(phone);
  const { error } = await server.client().auth.verifyOtp({ phone, token, type: 'phone_change' });
  expect(error).toMatchObject({ status: 422, code: 'phone_exists' });
  expect(await database.query('select phone from auth.users where id = $1', [owner.user.id])).toEqual([
    { phone: owner.phone.slice(1) },
  ]);
});

test('a repeated request sends a new code to the new number', async () => {
  const owner = await settledOwner();
  const phone = aPhone();
  await owner.client.auth.updateUser({ phone });
  await server.delivery.takeSmsTo(phone);
  clock.advance(60_000);
  const { auth } = server.client();
  expect((await auth.resend({ type: 'phone_change', phone })).error).toBeNull();
  const token = codeIn(await server.delivery.takeSmsTo(phone));
  expect((await auth.verifyOtp({ phone, token, type: 'phone_change' })).error).toBeNull();
});

test('an account with a proved number signs in by a code sent to it; for other numbers the response does not reveal that no account exists', async () => {
  const owner = await settledOwner();
  const { auth } = server.client();
  expect((await auth.signInWithOtp({ phone: owner.phone })).error).toBeNull();
  const first = codeIn(await server.delivery.takeSmsTo(owner.phone));
  clock.advance(60_000);
  expect((await auth.resend({ type: 'sms', phone: owner.phone })).error).toBeNull();
  const token = codeIn(await server.delivery.takeSmsTo(owner.phone));
  if (first !== token) {
    expect((await auth.verifyOtp({ phone: owner.phone, token: first, type: 'sms' })).error).toMatchObject(REFUSED);
  }
  const { data } = await auth.verifyOtp({ phone: owner.phone, token, type: 'sms' });
  expect(data.user?.id).toBe(owner.user.id);

  clock.advance(60_000);
  const unknown = aPhone();
  const responses = [];
  for (const phone of [owner.phone, unknown]) {
    const { status, headers, body } = await callAuth(server, 'POST', '/otp', { phone });
    responses.push({ status, names: [...headers.keys()].sort(), body });
  }
  expect(responses[1]).toEqual(responses[0]);
  expect(server.delivery.texts.filter(({ to }) => to === unknown)).toEqual([]);
});

test('a server that trusts numbers accepts a free one at once, and no taken one', async () => {
  const [owner, other] = [await settledOwner(aPhone(), trusting), await settledOwner()];
  const bearer = { Authorization: `Bearer ${owner.session.access_token}` };
  const phone = aPhone();
  expect(await callAuth(trusting, 'PUT', '/user', { phone }, bearer)).toMatchObject({
    status: 200,
    body: { phone: phone.slice(1) },
  });
  expect(await callAuth(trusting, 'PUT', '/user', { phone: other.phone }, bearer)).toMatchObject({ status: 422 });
});

test('a server without SMS says so', async () => {
  const owner = await registerOwner(withoutSms, { phone: '' });
  const bearer = { Authorization: `Bearer ${owner.session.access_token}` };
  const phone = aPhone();
  for (const [method, path, body] of [
    ['PUT', '/user', { phone }],
    ['POST', '/otp', { phone }],
    ['POST', '/resend', { type: 'sms', phone }],
  ] as const) {
    expect(await callAuth(withoutSms, method, path, body, bearer)).toMatchObject({
      status: 400,
      body: { code: 'phone_provider_disabled' },
    });
  }
});
