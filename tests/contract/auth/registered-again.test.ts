import { expect, test, vi } from 'vitest';
import { catchDelivery, codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

vi.mock('#server/auth/auth-service.ts', async (original) =>
  (await import('./support/answer-sooner.ts')).answeringSooner(await original()),
);

const database = await createTestDatabase();
const clock = holdTime();
const bySms = await startTestServer(database, { clock });
const { secrets } = bySms;
const byMail = await startTestServer(database, { clock, secrets, delivery: catchDelivery({ hasSms: false }) });
const hidden = await startTestServer(database, { clock, secrets, environment: { HIDE_ACCOUNT_EXISTENCE: 'true' } });

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

test.each([
  ['writes to the address', byMail],
  ['hides which addresses have accounts', hidden],
])('who asks again for a code is never sent one for what a stranger registered: a server that %s', async (_, on) => {
  const email = anEmail();
  await signUp(on, email, OWN);
  const first = codeIn(await on.delivery.takeEmailTo(email));
  await signUp(on, email, STRANGER);
  const second = await on.delivery.takeEmailTo(email);
  expect(second.subject, 'no code before the warning').not.toMatch(/\d{6}/);
  expect(second.text).toContain('more than once');
  expect(second.text).toContain(`${on.url}/auth?mode=register`);

  await resend(on, email);
  const notice = await on.delivery.takeEmailTo(email);
  expect(notice.subject).toBe('Please register with Reunite again');
  expect(notice.text).toContain(`${on.url}/auth?mode=register`);
  expect(`${notice.subject} ${notice.text}`).not.toMatch(/(?<!\d)\d{6}(?!\d)/);

  for (const dead of [first, codeIn(second)]) {
    expect((await verify(on, email, dead)).error).toMatchObject(REFUSED);
  }
  for (const details of [OWN, STRANGER]) expect(await signIn(on, email, details)).toBeDefined();

  await signUp(on, email, OWN);
  const verified = await verify(on, email, codeIn(await on.delivery.takeEmailTo(email)));
  expect(verified.data.user?.user_metadata).toMatchObject(OWN.data);
  expect(await signIn(on, email, STRANGER)).toBe('invalid_credentials');
  expect(await signIn(on, email, OWN)).toBeUndefined();
});

test('a stranger who names the owner’s own phone gains nothing; phone and address are told', async () => {
  const [email, phone] = [anEmail(), aPhone()];
  const stranger = { ...STRANGER, data: { phone } };
  await signUp(bySms, email, { ...OWN, data: { phone } });
  await bySms.delivery.takeSmsTo(phone);
  await signUp(bySms, email, stranger);
  const second = await bySms.delivery.takeSmsTo(phone);
  expect(second.text).toContain('if you registered just now');

  await resend(bySms, email);
  expect((await bySms.delivery.takeSmsTo(phone)).text).toMatch(
    /^Reunite: somebody registered .* Please register again\.$/,
  );
  expect((await bySms.delivery.takeEmailTo(email)).subject).toBe('Please register with Reunite again');
  expect((await verify(bySms, email, codeIn(second))).error).toMatchObject(REFUSED);
});

test('a stranger who names a phone of their own learns no code by asking for one; the owner of the address is told', async () => {
  const [email, phone] = [anEmail(), aPhone()];
  await signUp(bySms, email, { ...OWN, data: { phone: aPhone() } });
  await signUp(bySms, email, { ...STRANGER, data: { phone } });
  await bySms.delivery.takeSmsTo(phone);
  await resend(bySms, email);
  expect((await bySms.delivery.takeSmsTo(phone)).text).not.toMatch(/\d{6}/);
  expect((await bySms.delivery.takeEmailTo(email)).text).toContain('register again');
});

test('where a stranger was first, the owner’s registration counts, whole', async () => {
  const email = anEmail();
  await signUp(byMail, email, STRANGER);
  await byMail.delivery.takeEmailTo(email);
  await signUp(byMail, email, OWN);
  const own = await byMail.delivery.takeEmailTo(email);
  expect(own.text).toContain('made just before this message was sent');
  expect((await verify(byMail, email, codeIn(own))).error).toBeNull();
  expect(await signIn(byMail, email, STRANGER)).toBe('invalid_credentials');
  expect(await signIn(byMail, email, OWN)).toBeUndefined();
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
  expect((await verify(byMail, alone, renewed)).error).toBeNull();
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
