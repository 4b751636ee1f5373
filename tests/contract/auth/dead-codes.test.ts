import { beforeEach, expect, test } from 'vitest';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });
beforeEach(() => clock.advance(3_600_000));

async function signUp() {
  const [email, phone] = [anEmail(), aPhone()];
  await callAuth(server, 'POST', '/signup', { email, password: 'correct horse', data: { phone } });
  return { email, phone, code: server.delivery.codeFor(phone) };
}

/** The code that signs in by phone. */
async function codeBySms() {
  const { email, phone } = await registerOwner(server);
  clock.advance(60_000);
  await callAuth(server, 'POST', '/otp', { phone });
  return { email, phone, code: server.delivery.codeFor(phone) };
}

/** Returns the code that proves a new number, sent for an account. */
async function codeForNumber() {
  const { client, email, phone: before } = await registerOwner(server);
  const phone = aPhone();
  await client.auth.updateUser({ phone });
  return { email, before, phone, code: server.delivery.codeFor(phone) };
}

/** The code that shows that an account's owner is there. */
async function codeOfPresence() {
  const { client, email, phone } = await registerOwner(server);
  await client.auth.reauthenticate();
  return { email, phone, code: server.delivery.codeFor(phone) };
}

/** A code other than the one that was sent. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const tryCode = (body: Readonly<Record<string, string>>) => callAuth(server, 'POST', '/verify', body);

type Attempt = Readonly<Record<string, string>>;

const DEAD: readonly (readonly [name: string, attempt: () => Promise<Attempt>])[] = [
  [
    'a code of 10:01 minutes ago',
    async () => {
      const { email, code } = await signUp();
      clock.advance(601_000);
      return { type: 'signup', email, token: code };
    },
  ],
  [
    'the older code after another was sent',
    async () => {
      const { email, phone, code } = await signUp();
      // One time in a million the two are the same.
      do {
        clock.advance(60_000);
        await callAuth(server, 'POST', '/resend', { type: 'signup', email });
      } while (server.delivery.codeFor(phone) === code);
      return { type: 'signup', email, token: code };
    },
  ],
  [
    'the code of somebody else',
    async () => {
      const [one, another] = [await signUp(), await signUp()];
      return { type: 'signup', email: another.email, token: one.code === another.code ? other(one.code) : one.code };
    },
  ],
  [
    'a code that was used',
    async () => {
      const { email, code } = await signUp();
      expect((await tryCode({ type: 'signup', email, token: code })).status).toBe(200);
      return { type: 'signup', email, token: code };
    },
  ],
  [
    'the right code at the sixth try',
    async () => {
      const { email, code } = await signUp();
      for (let tries = 1; tries <= 5; tries += 1) await tryCode({ type: 'signup', email, token: other(code) });
      return { type: 'signup', email, token: code };
    },
  ],
  ['a wrong code', async () => signUp().then(({ email, code }) => ({ type: 'signup', email, token: other(code) }))],
  ['a code for an address without an account', async () => ({ type: 'signup', email: anEmail(), token: '000000' })],
  ['a code for a number without an account', async () => ({ type: 'sms', phone: aPhone(), token: '000000' })],
  ...['recovery', 'email_change', 'signup', 'invite'].map(
    (type) =>
      [
        `a code by SMS to sign in, as ${type}`,
        async () => codeBySms().then(({ email, code }) => ({ type, email, token: code })),
      ] as const,
  ),
  [
    'a code by SMS to sign in, as phone_change',
    async () => codeBySms().then(({ phone, code }) => ({ type: 'phone_change', phone, token: code })),
  ],
  [
    'a code for a new number, as sms',
    async () => codeForNumber().then(({ phone, code }) => ({ type: 'sms', phone, token: code })),
  ],
  [
    'a code for a new number, with the number before',
    async () => codeForNumber().then(({ before, code }) => ({ type: 'phone_change', phone: before, token: code })),
  ],
  ...['recovery', 'email_change', 'magiclink', 'email'].map(
    (type) =>
      [
        `a code that shows who is there, as ${type}`,
        async () => codeOfPresence().then(({ email, code }) => ({ type, email, token: code })),
      ] as const,
  ),
  ...['sms', 'phone_change'].map(
    (type) =>
      [
        `a code that shows who is there, as ${type}`,
        async () => codeOfPresence().then(({ phone, code }) => ({ type, phone, token: code })),
      ] as const,
  ),
  ...['recovery', 'email_change', 'magiclink', 'email'].map(
    (type) =>
      [
        `a code for a new number, as ${type}`,
        async () => codeForNumber().then(({ email, code }) => ({ type, email, token: code })),
      ] as const,
  ),
];

test.each(DEAD)('%s gets the same refusal as any other invalid code [A4]', async (_name, attempt) => {
  const { status, body, headers } = await tryCode(await attempt());
  expect({ status, body, code: headers.get('x-sb-error-code'), wait: headers.get('retry-after') }).toEqual({
    status: 403,
    body: { code: 'otp_expired', message: 'Token has expired or is invalid' },
    code: 'otp_expired',
    wait: null,
  });
});

test('the codes of this table are accepted for their own purpose [A4]', async () => {
  const [signedUp, bySms, forNumber] = [await signUp(), await codeBySms(), await codeForNumber()];
  for (const attempt of [
    { type: 'sms', phone: bySms.phone, token: bySms.code },
    { type: 'phone_change', phone: forNumber.phone, token: forNumber.code },
    { type: 'signup', email: signedUp.email, token: signedUp.code },
  ]) {
    expect((await tryCode(attempt)).status, attempt.type).toBe(200);
  }
});
