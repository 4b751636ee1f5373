import { expect, test } from 'vitest';
import { catchDelivery, codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { ANSWERING_SOONER } from './support/answer-sooner.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const bySms = await startTestServer(database, { auth: ANSWERING_SOONER, clock });
const { secrets } = bySms;
const byMail = await startTestServer(database, {
  auth: ANSWERING_SOONER,
  clock,
  secrets,
  delivery: catchDelivery({ hasSms: false }),
});
const hidden = await startTestServer(database, {
  auth: ANSWERING_SOONER,
  clock,
  secrets,
  environment: { HIDE_ACCOUNT_EXISTENCE: 'true' },
});

const OWN = { password: 'the owner’s own', data: { full_name: 'Olive Owner' } };
const STRANGER = { password: 'of a stranger', data: { full_name: 'Mallory' } };
const REFUSED = { status: 403, code: 'otp_expired' };

interface Details {
  readonly password: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A minute after whatever came before, which is when the service sends to the address again. */
async function signUp(on: TestServer, email: string, { password, data }: Details): Promise<void> {
  clock.advance(60_000);
  const { error } = await on.client().auth.signUp({ email, password, options: { data } });
  expect(error).toBeNull();
}

async function resend(on: TestServer, email: string): Promise<void> {
  clock.advance(60_000);
  expect(await callAuth(on, 'POST', '/resend', { type: 'signup', email })).toMatchObject({ status: 200, body: {} });
}

function verify(on: TestServer, email: string, token: string) {
  return on.client().auth.verifyOtp({ email, token, type: 'signup' });
}

async function signIn(on: TestServer, email: string, { password }: Details): Promise<string | undefined> {
  return (await on.client().auth.signInWithPassword({ email, password })).error?.code;
}

/** The newest mail that proves the address, and what it says. */
async function proofFor(on: TestServer, email: string) {
  const mail = await on.delivery.takeEmailTo(email);
  return { mail, code: codeIn(mail) };
}

test.each([
  ['writes to the address', byMail],
  ['hides which addresses have accounts', hidden],
])('after two registrations the code brings nobody’s password and phone along: a server that %s', async (_, on) => {
  const email = anEmail();
  await signUp(on, email, { ...OWN, data: { ...OWN.data, qr_id: createTagCode() } });
  const first = await proofFor(on, email);
  await signUp(on, email, { ...STRANGER, data: { ...STRANGER.data, phone: aPhone(), qr_id: createTagCode() } });
  const second = await proofFor(on, email);
  expect(second.mail.subject, 'no code before the warning').not.toMatch(/\d{6}/);
  expect(second.mail.text).toContain('more than once');
  await resend(on, email);
  const third = await proofFor(on, email);
  expect(third.mail.text).toContain('you choose a new one');
  for (const dead of [first.code, second.code]) {
    if (dead !== third.code) expect((await verify(on, email, dead)).error).toMatchObject(REFUSED);
  }

  const verified = await verify(on, email, third.code);
  expect(verified.data.user?.app_metadata).toMatchObject({ password_needed: true });
  expect(verified.data.user?.user_metadata).not.toHaveProperty('phone');
  const id = verified.data.user?.id;
  expect(await database.query('select phone from public.profiles where id = $1', [id])).toEqual([{ phone: null }]);
  expect(await database.query('select from public.items where user_id = $1', [id]), 'nobody’s tag code').toEqual([]);
  for (const details of [OWN, STRANGER]) expect(await signIn(on, email, details)).toBe('invalid_credentials');
});

test('whoever proved the address sets a password, and no other one works', async () => {
  const email = anEmail();
  await signUp(byMail, email, STRANGER);
  await byMail.delivery.takeEmailTo(email);
  await signUp(byMail, email, OWN);
  const client = byMail.client();
  const { code } = await proofFor(byMail, email);
  expect((await client.auth.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull();
  const { data, error } = await client.auth.updateUser({ password: 'chosen afterwards' });
  expect(error).toBeNull();
  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
  expect(await signIn(byMail, email, { ...OWN, password: 'chosen afterwards' })).toBeUndefined();
  for (const details of [OWN, STRANGER]) expect(await signIn(byMail, email, details)).toBe('invalid_credentials');
});

test('who registers again with the same password keeps it: nobody else could have typed it', async () => {
  const email = anEmail();
  await signUp(byMail, email, { ...OWN, data: { full_name: 'Oliv' } });
  await byMail.delivery.takeEmailTo(email);
  await signUp(byMail, email, OWN);
  const { mail, code } = await proofFor(byMail, email);
  expect(mail.text).not.toContain('more than once');
  const verified = await verify(byMail, email, code);
  expect(verified.data.user?.user_metadata).toMatchObject(OWN.data);
  expect(verified.data.user?.app_metadata).not.toHaveProperty('password_needed');
  expect(await signIn(byMail, email, OWN)).toBeUndefined();
});

test('a code by SMS proves the phone that it came to, and brings no password along either', async () => {
  const [email, phone] = [anEmail(), aPhone()];
  await signUp(bySms, email, { ...OWN, data: { phone } });
  await bySms.delivery.takeSmsTo(phone);
  await signUp(bySms, email, { ...STRANGER, data: { phone } });
  const verified = await verify(bySms, email, codeIn(await bySms.delivery.takeSmsTo(phone)));
  expect(verified.data.user).toMatchObject({ phone: phone.slice(1), app_metadata: { password_needed: true } });
  for (const details of [OWN, STRANGER]) expect(await signIn(bySms, email, details)).toBe('invalid_credentials');
});

test('a code by e-mail takes the place of a registration with a password; the same once more is no other', async () => {
  const [email, alone] = [anEmail(), anEmail()];
  await signUp(byMail, email, OWN);
  await byMail.delivery.takeEmailTo(email);
  for (const address of [email, alone, alone]) {
    clock.advance(60_000);
    await callAuth(byMail, 'POST', '/otp', { email: address, data: { full_name: 'Olive Owner' } });
  }
  expect((await byMail.delivery.takeEmailTo(email)).text).toContain('more than once');
  for (let mail = 1; mail <= 2; mail += 1) {
    expect((await byMail.delivery.takeEmailTo(alone)).subject).toMatch(/^\d{6} is your Reunite code$/);
  }
  await resend(byMail, alone);
  const renewed = codeIn(await byMail.delivery.takeEmailTo(alone));
  const verified = await verify(byMail, alone, renewed);
  expect(verified.data.user?.app_metadata, 'it never had a password').not.toHaveProperty('password_needed');
});

test('an address that was registered twice is answered like one that was registered once, or never', async () => {
  const [twice, once, never] = [anEmail(), anEmail(), anEmail()];
  for (const email of [twice, twice, once]) await signUp(byMail, email, OWN);
  clock.advance(60_000);
  const answers = [];
  for (const email of [twice, once, never]) {
    const { status, headers, body } = await callAuth(byMail, 'POST', '/resend', { type: 'signup', email });
    answers.push({ status, names: [...headers.keys()].sort(), body });
  }
  expect(answers[0]).toMatchObject({ status: 200, body: {} });
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});
