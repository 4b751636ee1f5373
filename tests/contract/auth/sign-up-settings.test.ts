import { expect, test } from 'vitest';
import { english, type Language } from '#domain/language.ts';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { enroll, show } from './support/authenticator.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const TEST_NUMBER = '+972509999999';

const usual = await startTestServer(database, { clock });

function serverWith(environment: Readonly<Record<string, string>>) {
  return startTestServer(database, { clock, secrets: usual.secrets, environment });
}

test('with sign-ups off no account is created, and existing accounts sign in', async () => {
  const closed = await serverWith({ SIGN_UPS: 'false' });
  const email = anEmail();
  const { auth } = closed.client();
  expect((await auth.signUp({ email, password: 'correct horse' })).error).toMatchObject({
    status: 422,
    code: 'signup_disabled',
    message: 'Signups not allowed for this instance',
  });
  expect((await auth.signInWithOtp({ email })).error, 'answered as for an address with an account').toBeNull();
  expect(await database.query('select from auth.users where email = $1', [email])).toEqual([]);
  const owner = await registerOwner(usual);
  expect((await auth.signInWithPassword(owner)).error).toBeNull();
});

test('with automatic confirmation, signing up signs in, tags the stored code, and sends nothing', async () => {
  const trusting = await serverWith({ EMAIL_AUTOCONFIRM: 'true' });
  const [email, qrId] = [anEmail(), createTagCode()];
  const { auth } = trusting.client();
  const options = { data: { full_name: 'Olive Owner', qr_id: qrId } };
  const { data, error } = await auth.signUp({ email, password: 'correct horse', options });
  expect(error).toBeNull();
  expect(data.session?.access_token).toBeDefined();
  expect(data.user).toMatchObject({ email, user_metadata: { email_verified: true } });
  expect(data.user?.email_confirmed_at).toBeDefined();
  expect(trusting.delivery.emails.filter(({ to }) => to === email)).toEqual([]);
  expect(await database.query('select user_id from public.items where qr_id = $1', [qrId])).toEqual([
    { user_id: data.user?.id },
  ]);
  const again = await trusting.client().auth.signUp({ email, password: 'of somebody else' });
  expect(again.error).toMatchObject({ status: 422, code: 'user_already_exists' });
});

test('with automatic confirmation, an anonymous account gets its first free address at once; the next one must be proved', async () => {
  const trusting = await serverWith({ EMAIL_AUTOCONFIRM: 'true', ANONYMOUS_SIGN_INS: 'true' });
  const { auth } = trusting.client();
  await auth.signInAnonymously();
  const { email: taken } = await registerOwner(usual, { phone: '' });
  expect((await auth.updateUser({ email: taken })).error?.code).toBe('email_exists');

  const [first, second] = [anEmail(), anEmail()];
  const { data } = await auth.updateUser({ email: first });
  expect(data.user).toMatchObject({ email: first, is_anonymous: false, identities: [{ provider: 'email' }] });
  expect(data.user?.new_email).toBeUndefined();
  expect((await auth.updateUser({ email: second })).data.user).toMatchObject({ email: first, new_email: second });
  await trusting.delivery.takeEmailTo(second);
  // Other servers' jobs may be delivered through this one's mail.
  const asked = trusting.delivery.emails.filter(({ key }) => !key?.startsWith('account:'));
  expect(asked.filter(({ subject }) => subject.includes('Confirm your new')).map(({ to }) => to)).toEqual([second]);
});

test('common passwords are refused, or accepted by a setting: at a sign-up, a change, and by an operator', async () => {
  for (const accepts of [false, true]) {
    const server = accepts ? await serverWith({ COMMON_PASSWORDS: 'true' }) : usual;
    const admin = server.client({ key: server.secrets.secretKey }).auth.admin;
    const { client } = await registerOwner(server, { phone: '' });
    const email = anEmail();
    const attempts = [
      await server.client().auth.signUp({ email: anEmail(), password: 'trustno1' }),
      await client.auth.updateUser({ password: 'trustno1' }),
      await admin.createUser({ email, password: 'trustno1', email_confirm: true }),
      await admin.generateLink({ type: 'signup', email: anEmail(), password: 'trustno1' }),
    ];
    const expected = accepts ? null : expect.objectContaining({ code: 'weak_password', reasons: ['pwned'] });
    expect(attempts.map(({ error }) => error)).toEqual(attempts.map(() => expected));
    if (!accepts) continue;
    const { data, error } = await server.client().auth.signInWithPassword({ email, password: 'trustno1' });
    expect([error, data.weakPassword]).toEqual([null, undefined]);
    // The length is still required.
    const short = await server.client().auth.signUp({ email: anEmail(), password: '12345' });
    expect(short.error).toMatchObject({ reasons: ['length'] });
  }
});

test('a longer password can be required; an account with a shorter one signs in and is warned', async () => {
  const strict = await serverWith({ PASSWORD_MINIMUM: '12' });
  const owner = await registerOwner(usual, { password: '11 letters.' });
  const { auth } = strict.client();
  const { data, error } = await auth.signInWithPassword(owner);
  expect(error).toBeNull();
  const message = 'Password should be at least 12 characters.';
  expect(data.weakPassword).toEqual({ message, reasons: ['length'] });
  expect((await auth.signUp({ email: anEmail(), password: '11 letters.' })).error).toMatchObject({
    status: 422,
    code: 'weak_password',
    message,
  });
  expect((await auth.signUp({ email: anEmail(), password: '12 letters..' })).error).toBeNull();
  // Every reason is given, as by the reference.
  const both = `${message} Password is known to be weak and easy to guess, please choose a different one.`;
  expect((await auth.signUp({ email: anEmail(), password: 'Michael' })).error).toMatchObject({
    name: 'AuthWeakPasswordError',
    status: 422,
    message: both,
    reasons: ['length', 'pwned'],
  });
  const common = await createOwner(database, { password: 'monkey' });
  expect((await auth.signInWithPassword({ email: common.email, password: 'monkey' })).data.weakPassword).toEqual({
    message: both,
    reasons: ['length', 'pwned'],
  });
});

test('with phones as second factors off none can be set up, and an authenticator app still works', async () => {
  const owner = await registerOwner(usual);
  const authenticator = await enroll(owner.client, clock);
  const sms = { SMS_WEBHOOK_URL: 'https://sms.example.org/send', SMS_WEBHOOK_SECRET: 's'.repeat(32) };
  const closed = await serverWith({ ...sms, PHONE_FACTORS: 'false' });
  const client = closed.client();
  await client.auth.signInWithPassword(owner);
  expect((await client.auth.mfa.enroll({ factorType: 'phone', phone: aPhone() })).error).toMatchObject({
    status: 422,
    code: 'mfa_phone_enroll_not_enabled',
  });
  await show(client, clock, authenticator);
  expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2');
});

test('the gap between two codes and their lifetime are as configured', async () => {
  const slow = await serverWith({
    LIMITS: 'mail_gap_per_account=1/300',
    CODE_LIFE_SECONDS: '3600',
    LINK_LIFE_SECONDS: '86400',
  });
  const email = anEmail();
  await callAuth(slow, 'POST', '/signup', { email, password: 'correct horse' });
  const mail = await slow.delivery.takeEmailTo(email);
  expect(mail.text).toContain('for 60 minutes');
  expect(mail.text).toContain('for 24 hours');
  const resend = () => callAuth(slow, 'POST', '/resend', { type: 'signup', email });
  const sent = () => slow.delivery.emails.filter(({ to }) => to === email).length;
  clock.advance(299_000);
  expect((await resend()).status).toBe(200);
  expect(sent(), 'the one before is still good').toBe(1);
  clock.advance(1_000);
  expect((await resend()).status).toBe(200);
  await expect.poll(sent).toBe(2);
  const token = codeIn(await slow.delivery.takeEmailTo(email));
  clock.advance(3_600_000 - 1);
  expect((await callAuth(slow, 'POST', '/verify', { type: 'signup', email, token })).status).toBe(200);
});

test('emails and SMS have separate gaps', async () => {
  const server = await serverWith({ LIMITS: 'mail_gap_per_account=1/30,sms_gap_per_account=1/300' });
  const { auth } = (await registerOwner(server, { phone: aPhone() })).client;
  const text = () => auth.reauthenticate();
  const mail = () => auth.updateUser({ email: anEmail() });
  expect([(await text()).error, (await mail()).error]).toEqual([null, null]);
  clock.advance(30_000);
  expect((await text()).error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' });
  expect((await mail()).error).toBeNull();
  clock.advance(270_000);
  expect((await text()).error).toBeNull();
});

test('a test number of a development server always gets its code, and nothing is sent to it', async () => {
  const development = await serverWith({
    NODE_ENV: 'development',
    TEST_PHONE_NUMBERS: `${TEST_NUMBER}=314159`,
  });
  const [email, other] = [anEmail(), aPhone()];
  const { auth } = development.client();
  await auth.signUp({ email, password: 'correct horse', options: { data: { phone: TEST_NUMBER } } });
  expect(development.delivery.texts).toEqual([]);
  const verified = await auth.verifyOtp({ email, token: '314159', type: 'signup' });
  expect(verified.data.user?.phone).toBe(TEST_NUMBER.slice(1));
  const owner = await registerOwner(development, { phone: other });
  expect(development.delivery.texts.map(({ to }) => to)).toEqual([other]);
  clock.advance(60_000);
  await owner.client.auth.updateUser({ phone: aPhone() });
  const wrong = await auth.verifyOtp({ email: owner.email, token: '314159', type: 'signup' });
  expect(wrong.error).toMatchObject({ code: 'otp_expired' });
});

test.each([
  ['he-IL, en;q=0.5', '<html lang="he" dir="rtl">'],
  ['fr', '<html lang="en" dir="ltr">'],
])('with Accept-Language %s the emails that a request sends begin with %s', async (accepted, html) => {
  const hebrew: Language = { ...english, tag: 'he', direction: 'rtl' };
  const server = await startTestServer(database, {
    clock,
    secrets: usual.secrets,
    auth: { languages: [english, hebrew] },
  });
  const email = anEmail();
  const headers = { 'Accept-Language': accepted };
  await callAuth(server, 'POST', '/signup', { email, password: 'correct horse' }, headers);
  expect((await server.delivery.takeEmailTo(email)).html).toContain(html);
  await callAuth(server, 'POST', '/recover', { email }, headers);
  expect((await server.delivery.takeEmailTo(email)).html).toContain(html);
});
