import { expect, test } from 'vitest';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

/** A corrected registration is the first message to its new recipient, not a second one. */
const database = await createTestDatabase();
const clock = holdTime();
const bySms = await startTestServer(database, { clock });
const byMail = await startTestServer(database, {
  clock,
  secrets: bySms.secrets,
  delivery: catchDelivery({ hasSms: false }),
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

test('a registration with a corrected number gets its code at once, and a second one to that number waits', async () => {
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

test('when codes go by email, another number is not another recipient', async () => {
  const client = aClient(byMail);
  const email = anEmail();
  expect(await client.signUp({ email, phone: aPhone() })).toBe(200);
  expect(await client.signUp({ email, phone: aPhone() })).toBe(429);
});

test('changing numbers and addresses does not allow flooding one of them', async () => {
  // One email address with many numbers: up to what the client may request in a day.
  const email = anEmail();
  const client = aClient(bySms);
  const statuses: number[] = [];
  for (let at = 0; at < 12; at += 1) statuses.push(await client.signUp({ email, phone: aPhone() }));
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);

  // One number with many email addresses, from everywhere: ten an hour by SMS, the others by email.
  const phone = aPhone();
  const before = bySms.delivery.emails.length;
  for (let at = 0; at < 15; at += 1) expect(await aClient(bySms).signUp({ email: anEmail(), phone })).toBe(200);
  expect(bySms.delivery.texts.filter(({ to }) => to === phone)).toHaveLength(10);
  expect(bySms.delivery.emails.length - before).toBe(5);
});
