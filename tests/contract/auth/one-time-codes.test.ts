import { expect, test } from 'vitest';

import { withCodes } from '#tests/support/delivery-catcher.ts';

import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });
const development = await startTestServer(database, {
  environment: { NODE_ENV: 'development', DEV_TEST_OTP: '424242' },
  secrets: server.secrets,
  clock,
});

const REFUSED = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' };

interface Pending {
  readonly email: string;
  readonly phone: string;
  readonly code: string;
}

async function signUp(on: TestServer = server): Promise<Pending> {
  const [email, phone] = [anEmail(), aPhone()];
  const { error } = await on.client().auth.signUp({ email, password: 'correct horse', options: { data: { phone } } });
  expect(error).toBeNull();
  return { email, phone, code: on.delivery.codeFor(phone) };
}

function verify(
  email: string,
  token: string,
  type: 'signup' | 'email' | 'recovery' | 'magiclink' = 'signup',
  on = server,
) {
  return on.client().auth.verifyOtp({ email, token, type });
}

/** Six digits that are not the code. */
function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0');
}

test('a code is valid for ten minutes', async () => {
  const [intime, late] = [await signUp(), await signUp()];
  clock.advance(10 * 60_000 - 1);
  expect((await verify(intime.email, intime.code)).error).toBeNull();
  clock.advance(1_001);
  expect((await verify(late.email, late.code)).error).toMatchObject(REFUSED);
});

test('a code is used once', async () => {
  const { email, code } = await signUp();
  expect((await verify(email, code)).data.session).not.toBeNull();
  expect((await verify(email, code)).error).toMatchObject(REFUSED);
});

test('of fifty clients that use one code at once, one gets a session', async () => {
  const { email, code } = await signUp();
  const responses = await Promise.all(Array.from({ length: 50 }, () => verify(email, code)));
  expect(responses.filter(({ data }) => data.session !== null)).toHaveLength(1);
  const refusals = responses.map(({ error }) => error?.code).filter((code) => code !== undefined);
  expect(refusals).toHaveLength(49);
  // As many as strangers may be wrong in a day, and the others are no longer looked at.
  expect(refusals.filter((code) => code === 'otp_expired').length).toBeLessThanOrEqual(10);
  expect(new Set([...refusals, 'otp_expired', 'over_request_rate_limit']).size).toBe(2);
  const sessions = await database.query(
    'select from auth.sessions join auth.users as u on u.id = user_id where claimed_email = $1',
    [email],
  );
  expect(sessions).toHaveLength(1);
});

test('after five wrong guesses the right code is invalid too', async () => {
  const { email, code } = await signUp();
  for (let guess = 1; guess <= 5; guess += 1)
    expect((await verify(email, wrong(code, guess))).error).toMatchObject(REFUSED);
  expect((await verify(email, code)).error).toMatchObject(REFUSED);
});

test('the fifth guess may still be the right one', async () => {
  const { email, code } = await signUp();
  for (let guess = 1; guess <= 4; guess += 1) await verify(email, wrong(code, guess));
  expect((await verify(email, code)).error).toBeNull();
});

test('fifty guesses at once are counted like fifty one after another', async () => {
  const { email, code } = await signUp();
  const responses = await Promise.all(Array.from({ length: 50 }, (_, guess) => verify(email, wrong(code, guess + 1))));
  expect(responses.filter(({ error }) => error?.code === 'otp_expired')).toHaveLength(10);
  expect(responses.filter(({ error }) => error?.code === 'over_request_rate_limit')).toHaveLength(40);
  const [row] = await database.query(
    'select attempts from auth.one_time_tokens join auth.users as account on account.id = user_id where claimed_email = $1',
    [email],
  );
  expect(row).toEqual({ attempts: 5 });
  expect((await verify(email, code)).error).toMatchObject({ code: 'over_request_rate_limit' });
});

test('a client without cookies enters the newest code, which goes to the same phone', async () => {
  const { email, phone, code } = await signUp();
  clock.advance(60_000);
  expect((await server.client().auth.resend({ email, type: 'signup' })).error).toBeNull();
  const next = server.delivery.codeFor(phone);
  expect(server.delivery.texts.filter(({ to }) => to === phone)).toHaveLength(2);
  if (next !== code) expect((await verify(email, code)).error).toMatchObject(REFUSED);
  expect((await verify(email, next)).error).toBeNull();
});

test('a new code has attempts of its own', async () => {
  const { email, phone, code } = await signUp();
  for (let guess = 1; guess <= 5; guess += 1) await verify(email, wrong(code, guess));
  clock.advance(60_000);
  await server.client().auth.resend({ email, type: 'signup' });
  expect((await verify(email, server.delivery.codeFor(phone))).error).toBeNull();
});

test('the code of one account is refused for another account and for another purpose', async () => {
  const [first, second] = [await signUp(), await signUp()];
  expect((await verify(second.email, first.code)).error).toMatchObject(REFUSED);
  for (const type of ['recovery', 'magiclink'] as const) {
    expect((await verify(first.email, first.code, type)).error).toMatchObject(REFUSED);
  }
  for (const type of ['sms', 'phone_change', 'email_change', 'invite']) {
    const body = {
      type,
      token: first.code,
      ...(/^(sms|phone)/.test(type) ? { phone: first.phone } : { email: first.email }),
    };
    expect(await callAuth(server, 'POST', '/verify', body)).toMatchObject({
      status: 403,
      body: { code: 'otp_expired' },
    });
  }
  expect((await verify(first.email, first.code)).error).toBeNull();
});

test('a code requested for an unproved address opens a new account for its reader, and no other account', async () => {
  const owner = await registerOwner(server);
  clock.advance(60_000);
  const before = server.delivery.texts.length;
  expect((await server.client().auth.signInWithOtp({ email: owner.email })).error).toBeNull();
  expect(server.delivery.texts.slice(before), 'the phone is not asked').toEqual([]);
  const { data, error } = await verify(owner.email, server.delivery.codeFor(owner.email), 'email');
  expect(error).toBeNull();
  expect(data.user?.id).not.toBe(owner.user.id);
  expect(data.user).toMatchObject({ email: owner.email, phone: '' });
  const left = (await owner.client.auth.getUser()).data.user;
  expect(left).toMatchObject({ email: '', phone: owner.phone.slice(1), app_metadata: { address_lost: true } });
});

test('a sign-in code goes to the proved address', async () => {
  const owner = await registerOwner(server, { phone: '' });
  clock.advance(60_000);
  expect((await server.client().auth.signInWithOtp({ email: owner.email })).error).toBeNull();
  expect(withCodes(server.delivery.emails).at(-1)).toMatchObject({
    to: owner.email,
    text: expect.stringContaining('to sign in'),
  });
  expect((await verify(owner.email, server.delivery.codeFor(owner.email), 'magiclink')).error).toBeNull();
});

test('the development code works where a code is pending, and nowhere else', async () => {
  const pending = await signUp(development);
  expect((await verify(pending.email, '424242', 'signup', server)).error, 'a server without one').toMatchObject(
    REFUSED,
  );
  expect((await verify(anEmail(), '424242', 'signup', development)).error, 'no account').toMatchObject(REFUSED);
  expect((await verify(pending.email, '424242', 'signup', development)).error).toBeNull();
  expect((await verify(pending.email, '424242', 'signup', development)).error, 'used').toMatchObject(REFUSED);

  const expired = await signUp(development);
  clock.advance(10 * 60_000 + 1);
  expect((await verify(expired.email, '424242', 'signup', development)).error, 'expired').toMatchObject(REFUSED);
});

test('a real code of a development server is still a random one', async () => {
  const { email, code } = await signUp(development);
  expect(code).toMatch(/^\d{6}$/);
  expect((await verify(email, code, 'signup', development)).error).toBeNull();
});

test('one client waits a minute between two codes, whether or not the account exists', async () => {
  const { email } = await signUp();
  const unknown = anEmail();
  const from = { 'X-Forwarded-For': anAddress() };
  clock.advance(60_000);
  const resend = (address: string) => callAuth(server, 'POST', '/resend', { type: 'signup', email: address }, from);
  for (const address of [email, unknown]) expect((await resend(address)).status).toBe(200);
  clock.advance(12_000);
  for (const address of [email, unknown]) {
    const response = await resend(address);
    expect(response).toMatchObject({
      status: 429,
      body: {
        code: 'over_sms_send_rate_limit',
        message: 'For security purposes, you can only request this after 48 seconds.',
      },
    });
    expect(response.headers.get('retry-after')).toBe('48');
  }
  clock.advance(48_000);
  for (const address of [email, unknown]) {
    expect(await resend(address)).toMatchObject({ status: 200, body: {} });
  }
  expect(server.delivery.emails.filter(({ to }) => to === unknown)).toEqual([]);
});

test('of fifty simultaneous requests for a new code, one is sent', async () => {
  const { email, phone } = await signUp();
  clock.advance(60_000);
  const address = anAddress();
  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      callAuth(server, 'POST', '/resend', { type: 'signup', email }, { 'X-Forwarded-For': address }),
    ),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(server.delivery.texts.filter(({ to }) => to === phone)).toHaveLength(2);
});

test('a request for a code reveals nothing: known, unknown, and confirmed addresses get the same response', async () => {
  const [pending, owner, unknown] = [await signUp(), await registerOwner(server), anEmail()];
  clock.advance(60_000);
  for (const email of [pending.email, owner.email, unknown]) {
    expect(await callAuth(server, 'POST', '/resend', { type: 'signup', email })).toMatchObject({
      status: 200,
      body: {},
    });
  }
  clock.advance(60_000);
  const before = server.delivery.texts.length;
  const mailsBefore = withCodes(server.delivery.emails).length;
  for (const email of [owner.email, unknown]) {
    expect(await callAuth(server, 'POST', '/otp', { email, create_user: false })).toMatchObject({
      status: 200,
      body: {},
    });
  }
  expect(server.delivery.texts.slice(before)).toEqual([]);
  expect(withCodes(server.delivery.emails)).toHaveLength(mailsBefore);
  expect(await database.query('select from auth.users where claimed_email = $1', [unknown])).toEqual([]);
});

test('a code by email creates an account without a password, and clears the password of an unconfirmed one', async () => {
  const pending = await signUp();
  clock.advance(60_000);
  const { auth } = server.client();
  expect((await auth.signInWithOtp({ email: pending.email })).error).toBeNull();
  const code = server.delivery.codeFor(pending.email);
  expect((await verify(pending.email, code, 'email')).data.user).toMatchObject({ email: pending.email });
  const signIn = await auth.signInWithPassword({ email: pending.email, password: 'correct horse' });
  expect(signIn.error).toMatchObject({ code: 'invalid_credentials' });
});
