import { expect, test } from 'vitest';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { callAuth, cookiesOf } from './support/call-auth.ts';

/** A corrected registration is the first message to its new recipient, not a second one. */
const database = await createTestDatabase();
const clock = holdTime();
const bySms = await startTestServer(database, { clock });
const byMail = await startTestServer(database, {
  clock,
  secrets: bySms.secrets,
  delivery: catchDelivery({ hasSms: false }),
});
const hidden = await startTestServer(database, {
  clock,
  secrets: bySms.secrets,
  environment: { HIDE_ACCOUNT_EXISTENCE: 'true' },
});

interface Details {
  readonly email: string;
  readonly phone: string;
}

/** One client, at one address. */
function aClient(server: TestServer) {
  const from = { 'X-Forwarded-For': anAddress() };
  const call = (path: string, body: object) => callAuth(server, 'POST', path, body, from);
  return {
    signUp: async ({ email, phone }: Details) =>
      (await call('/signup', { email, password: 'correct horse', data: { phone } })).status,
    resend: async ({ email }: Details) => (await call('/resend', { type: 'signup', email })).status,
    verify: async ({ email }: Details, token: string) =>
      (await call('/verify', { type: 'signup', email, token })).status,
  };
}

test('a registration with a corrected number gets its code at once, and a second one to that number waits [K4]', async () => {
  const client = aClient(bySms);
  const wrong = { email: anEmail(), phone: aPhone() };
  const right = { ...wrong, phone: aPhone() };
  expect(await client.signUp(wrong)).toBe(200);
  expect(await client.signUp(right)).toBe(200);
  const code = bySms.delivery.codeFor(right.phone);
  expect(await client.signUp(right), 'a second code to the right number').toBe(429);
  expect(await client.signUp(wrong), 'a second code to the wrong number').toBe(429);
  expect(await client.resend(right), 'a resend').toBe(429);
  expect(await client.verify(right, code)).toBe(200);
});

test('with a corrected email address the code is sent at once, by SMS and by email', async () => {
  for (const server of [bySms, byMail]) {
    const client = aClient(server);
    const phone = aPhone();
    const right = { email: anEmail(), phone };
    expect(await client.signUp({ email: anEmail(), phone })).toBe(200);
    expect(await client.signUp(right)).toBe(200);
    const code = server.delivery.codeFor(server === bySms ? phone : right.email);
    expect(await client.verify(right, code)).toBe(200);
  }
});

test('when codes go by email, another number is not another recipient, and a client without cookies waits', async () => {
  const client = aClient(byMail);
  const email = anEmail();
  expect(await client.signUp({ email, phone: aPhone() })).toBe(200);
  expect(await client.signUp({ email, phone: aPhone() })).toBe(429);
});

test.each([
  ['by SMS', bySms],
  ['by email', byMail],
])('within the gap, the browser that registered corrects its details, and the code %s confirms them', async (_, on) => {
  const client = on.client();
  const email = anEmail();
  const phone = aPhone();
  const first = { email, password: 'correct horse', options: { data: { full_name: 'Dna Levi', phone } } };
  const corrected = { ...first, password: 'battery staple', options: { data: { full_name: 'Dana Levi', phone } } };
  expect((await client.auth.signUp(first)).error).toBeNull();
  const token = on.delivery.codeFor(on === bySms ? phone : email);
  const sent = on.delivery.texts.length + on.delivery.emails.length;
  clock.advance(20_000);
  const { data, error } = await client.auth.signUp(corrected);
  expect(error).toBeNull();
  expect(data.user?.app_metadata).toMatchObject({
    confirmation_sent_by: on === bySms ? 'sms' : 'email',
    confirmation_resend_seconds: 40,
  });
  expect(on.delivery.texts.length + on.delivery.emails.length, 'no further message').toBe(sent);

  expect((await client.auth.verifyOtp({ email, token, type: 'signup' })).error).toBeNull();
  const { id } = (await client.auth.getUser()).data.user ?? {};
  expect(await database.query('select full_name, phone from public.profiles where id = $1', [id])).toEqual([
    { full_name: 'Dana Levi', phone },
  ]);
  const signIn = (password: string) => on.client().auth.signInWithPassword({ email, password });
  expect((await signIn('battery staple')).error).toBeNull();
  expect((await signIn('correct horse')).error?.code).toBe('invalid_credentials');
});

test('when codes go by email, a corrected number is stored under the code that was sent', async () => {
  const client = byMail.client();
  const email = anEmail();
  const phone = aPhone();
  const withPhone = (number: string) => ({ email, password: 'correct horse', options: { data: { phone: number } } });
  expect((await client.auth.signUp(withPhone(aPhone()))).error).toBeNull();
  expect((await client.auth.signUp(withPhone(phone))).error).toBeNull();
  const token = byMail.delivery.codeFor(email);
  const { data } = await client.auth.verifyOtp({ email, token, type: 'signup' });
  expect(await database.query('select phone from public.profiles where id = $1', [data.user?.id])).toEqual([{ phone }]);
});

test('within the gap, no other browser replaces the password of a registration, even at the same network address', async () => {
  const email = anEmail();
  const from = { 'X-Forwarded-For': anAddress() };
  const register = (password: string, cookies = {}) =>
    callAuth(byMail, 'POST', '/signup', { email, password }, { ...from, ...cookies });
  const own = await register('correct horse');
  const stranger = await callAuth(byMail, 'POST', '/signup', { email: anEmail(), password: 'of a stranger' });
  expect((await register('of a stranger', cookiesOf(stranger))).status).toBe(429);
  expect((await register('of a stranger')).status).toBe(429);

  const token = byMail.delivery.codeFor(email);
  const verified = await callAuth(byMail, 'POST', '/verify', { type: 'signup', email, token }, cookiesOf(own));
  expect(verified.status).toBe(200);
  const signIn = (password: string) => byMail.client().auth.signInWithPassword({ email, password });
  expect((await signIn('correct horse')).error).toBeNull();
  expect((await signIn('of a stranger')).error?.code).toBe('invalid_credentials');
});

test('with HIDE_ACCOUNT_EXISTENCE nothing is corrected within the gap, since that would show which addresses are free', async () => {
  const client = hidden.client();
  const email = anEmail();
  expect((await client.auth.signUp({ email, password: 'correct horse' })).error).toBeNull();
  expect((await client.auth.signUp({ email, password: 'battery staple' })).error?.status).toBe(429);
});

test('changing numbers and addresses does not allow flooding one of them [K4]', async () => {
  // One email address with many numbers: up to what the client may request in a day.
  const email = anEmail();
  const client = aClient(bySms);
  const statuses: number[] = [];
  for (let at = 0; at < 12; at += 1) statuses.push(await client.signUp({ email, phone: aPhone() }));
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);

  // One number with many email addresses, from everywhere: five a day by SMS, the others by email.
  const phone = aPhone();
  const before = bySms.delivery.emails.length;
  for (let at = 0; at < 15; at += 1) expect(await aClient(bySms).signUp({ email: anEmail(), phone })).toBe(200);
  expect(bySms.delivery.texts.filter(({ to }) => to === phone)).toHaveLength(5);
  expect(bySms.delivery.emails.length - before).toBe(10);
});
