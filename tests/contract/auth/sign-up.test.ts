import { expect, test } from 'vitest';
import { catchDelivery, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';

const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, { clock });
const withoutSms = await startTestServer(database, { delivery: catchDelivery({ hasSms: false }), clock });

function signUp(email: string, password: string, data: Record<string, unknown> = {}, on = server) {
  return on.client().auth.signUp({ email, password, options: { data } });
}

function verify(email: string, token: string, on = server) {
  return on.client().auth.verifyOtp({ email, token, type: 'signup' });
}

test('registrations of one address with two phones are two accounts, and each code confirms its own [K2]', async () => {
  const email = anEmail();
  const [mallory, olive] = [aPhone(), aPhone()];
  const first = await signUp(email, 'password of mallory', { full_name: 'Mallory', phone: mallory });
  clock.advance(60_000);
  const second = await signUp(email, 'password of olive', { full_name: 'Olive', phone: olive, qr_id: createTagCode() });
  expect(second.data.user?.id).not.toBe(first.data.user?.id);

  const { data } = await verify(email, server.delivery.codeFor(olive));
  expect(data.user).toMatchObject({ id: second.data.user?.id, email, phone: olive.slice(1) });
  expect(data.user).not.toHaveProperty('email_confirmed_at');
  expect(await database.query('select from public.items where user_id = $1', [data.user?.id])).toHaveLength(1);
  const other = await verify(email, server.delivery.codeFor(mallory));
  expect(other.data.user).toMatchObject({ id: first.data.user?.id, phone: mallory.slice(1) });
  const { auth } = server.client();
  for (const [password, id] of [
    ['password of mallory', first.data.user?.id],
    ['password of olive', second.data.user?.id],
  ] as const) {
    expect((await auth.signInWithPassword({ email, password })).data.user?.id).toBe(id);
  }
});

test('registering again with the same number in another browser keeps no name and no password, and the older code is invalid', async () => {
  const [email, phone] = [anEmail(), aPhone()];
  const first = await signUp(email, 'password of mallory', { full_name: 'Mallory', phone, qr_id: createTagCode() });
  const older = server.delivery.codeFor(phone);
  clock.advance(60_000);
  const second = await signUp(email, 'password of olive', { full_name: 'Olive', phone });
  expect(second.data.user?.id).not.toBe(first.data.user?.id);
  const newer = server.delivery.codeFor(phone);

  if (older !== newer) expect((await verify(email, older)).error).toMatchObject({ code: 'otp_expired' });
  const { data } = await verify(email, newer);
  expect(data.user).toMatchObject({ phone: phone.slice(1), user_metadata: { phone } });
  for (const entered of ['qr_id', 'full_name']) expect(data.user?.user_metadata).not.toHaveProperty(entered);
  expect(await database.query('select full_name, phone from public.profiles where id = $1', [data.user?.id])).toEqual([
    { full_name: null, phone },
  ]);
  expect(await database.query('select from public.items where user_id = $1', [data.user?.id])).toEqual([]);
  const { auth } = server.client();
  for (const password of ['password of mallory', 'password of olive']) {
    expect((await auth.signInWithPassword({ email, password })).error).toMatchObject({ code: 'invalid_credentials' });
  }
});

test('a registration with an address and a number that an account has proved is refused because the account exists', async () => {
  const { email, phone } = await registerOwner(server);
  clock.advance(60_000);
  expect((await signUp(email, 'another horse', { phone })).error).toMatchObject({ code: 'user_already_exists' });
});

test('a tag code that has an item keeps it, and the account is still confirmed', async () => {
  const item = await createItem(database, await createOwner(database));
  const { user } = await registerOwner(server, { data: { qr_id: item.qrId } });
  expect(await database.query('select from public.items where user_id = $1', [user.id])).toEqual([]);
  expect(await database.query('select id from public.items where qr_id = $1', [item.qrId])).toEqual([{ id: item.id }]);
});

test('when two users register with one tag code at once, one gets the item and both get an account', async () => {
  const qrId = createTagCode();
  const [one, other] = await Promise.all([
    registerOwner(server, { data: { qr_id: qrId } }),
    registerOwner(server, { data: { qr_id: qrId } }),
  ]);
  const items = await database.query<{ user_id: string }>('select user_id from public.items where qr_id = $1', [qrId]);
  expect(items).toHaveLength(1);
  expect([one.user.id, other.user.id]).toContain(items[0]?.user_id);
});

test('a phone stays with the account that proved it first; both accounts are confirmed', async () => {
  const phone = aPhone();
  const [first, second] = [await registerOwner(server, { phone }), await registerOwner(server, { phone })];
  expect(first.user.phone).toBe(phone.slice(1));
  expect(second.user.phone).toBe('');
  expect(second.user.confirmed_at).toBeDefined();
  expect(second.user.user_metadata).toMatchObject({ phone, phone_verified: true });
});

test('when two accounts prove one phone at once, one gets it and both are confirmed', async () => {
  const phone = aPhone();
  const people = [anEmail(), anEmail()];
  const codes: string[] = [];
  for (const email of people) {
    await signUp(email, 'correct horse', { phone });
    codes.push(server.delivery.codeFor(phone));
  }
  const responses = await Promise.all(people.map((email, at) => verify(email, codes[at] ?? '')));
  expect(responses.map(({ error }) => error)).toEqual([null, null]);
  expect(responses.map(({ data }) => data.user?.phone).sort()).toEqual(['', phone.slice(1)]);
});

test('the number is stored in E.164, however it was typed', async () => {
  const email = anEmail();
  const { data } = await signUp(email, 'correct horse', { phone: ' +972 (50) 223-45 67 ' });
  expect(data.user?.user_metadata).toMatchObject({ phone: '+972502234567' });
  expect(server.delivery.texts.at(-1)?.to).toBe('+972502234567');
});

test.each([{}, { phone: '' }, { phone: null }])(
  'without a phone (%j) the code goes by email and proves the address',
  async (data) => {
    const email = anEmail();
    await signUp(email, 'correct horse', data);
    const { data: verified } = await verify(email, server.delivery.codeFor(email));
    expect(verified.user).toMatchObject({ phone: '', user_metadata: { email_verified: true, phone_verified: false } });
    expect(verified.user?.identities).toMatchObject([{ identity_data: { email_verified: true } }]);
    expect(verified.user?.email_confirmed_at).toBe(verified.user?.confirmed_at);
    expect(verified.user).not.toHaveProperty('phone_confirmed_at');
  },
);

test('where there is no SMS the code goes by email and the phone stays unverified', async () => {
  const { user, phone, email } = await registerOwner(withoutSms);
  expect(withoutSms.delivery.texts).toEqual([]);
  const mail = withCodes(withoutSms.delivery.emails).at(-1);
  expect(mail?.to).toBe(email);
  expect(mail?.key).toMatch(new RegExp(`^code:${user.id}:.+`));
  expect(user).toMatchObject({ phone: '', user_metadata: { phone, phone_verified: false, email_verified: true } });
});

test.each([
  { on: server, status: 422, code: 'sms_send_failed' },
  { on: withoutSms, status: 503, code: 'unexpected_failure' },
])(
  'a code that could not be sent is reported ($status $code), and may be requested again at once',
  async ({ on, status, code }) => {
    const email = anEmail();
    const body = { email, password: 'correct horse', data: { phone: aPhone() } };
    on.delivery.down = true;
    const failed = await callAuth(on, 'POST', '/signup', body);
    on.delivery.down = false;
    expect(failed).toMatchObject({ status, body: { code } });
    expect(JSON.stringify(failed.body)).not.toMatch(/451|provider does not answer/);
    const reported = on.logged.filter((line) => line.includes(`"errorCode":"${code}"`)).at(-1);
    expect(reported, 'the operator is told why').toMatch(/451 try again later|the provider does not answer/);

    expect((await callAuth(on, 'POST', '/signup', body)).status).toBe(200);
    const sent = on.delivery.codeFor(on.delivery.hasSms ? body.data.phone : email);
    expect((await verify(email, sent, on)).error).toBeNull();
  },
);

test('after a failed resend another code can be requested at once', async () => {
  const [email, phone] = [anEmail(), aPhone()];
  await signUp(email, 'correct horse', { phone });
  clock.advance(60_000);
  server.delivery.down = true;
  expect((await callAuth(server, 'POST', '/resend', { type: 'signup', email })).status).toBe(200);
  server.delivery.down = false;
  expect((await callAuth(server, 'POST', '/resend', { type: 'signup', email })).status).toBe(200);
  expect((await verify(email, server.delivery.codeFor(phone))).error).toBeNull();
});

test('fifty simultaneous registrations of one address send one code and leave one account', async () => {
  const email = anEmail();
  const phone = aPhone();
  const body = { email, password: 'correct horse', data: { phone } };
  const responses = await Promise.all(Array.from({ length: 50 }, () => callAuth(server, 'POST', '/signup', body)));
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(server.delivery.texts.filter(({ to }) => to === phone)).toHaveLength(1);
  expect(withCodes(server.delivery.emails).filter(({ to }) => to === email)).toEqual([]);
  expect((await verify(email, server.delivery.codeFor(phone))).error).toBeNull();
  expect(await database.query('select from auth.users where claimed_email = $1', [email])).toHaveLength(1);
});

test('an address has one account: case, blanks, and another spelling of the domain do not matter [A11]', async () => {
  const { email } = await registerOwner(server, { phone: '' });
  const [local = '', domain = ''] = email.split('@');
  for (const same of [
    email.toUpperCase(),
    `  ${email}\t`,
    `${local}@EXAMPLE.com`,
    `${local}@${domain.replace('e', 'ｅ')}`,
  ]) {
    expect((await signUp(same, 'correct horse')).error, same).toMatchObject({ code: 'user_already_exists' });
    const signIn = await server.client().auth.signInWithPassword({ email: same, password: 'correct horse' });
    expect(signIn.data.user?.email, same).toBe(email);
  }
});

test('look-alike letters, and letters that fold into ASCII, are refused [A11]', async () => {
  const { email } = await registerOwner(server, { email: `kiosk-${anEmail()}` });
  // Kelvin sign, dotless i, full-width k, Cyrillic о, combining dot.
  for (const lookalike of ['\u212A', 'k\u0131', 'ｋ', 'kо', 'ki\u0307']) {
    const address = email.replace(/^k/, lookalike);
    expect((await signUp(address, 'correct horse')).error, address).toMatchObject({ code: 'validation_failed' });
    const signIn = await server.client().auth.signInWithPassword({ email: address, password: 'correct horse' });
    expect(signIn.error, address).toMatchObject({ code: 'invalid_credentials' });
  }
});

test('passwords are counted in characters and never cut off', async () => {
  expect((await signUp(anEmail(), '🔑🔑🔑🔑🔑')).error).toMatchObject({ code: 'weak_password' });
  const { email } = await registerOwner(server, { password: '🔑🔑🔑🔑🔑🔑' });
  const { auth } = server.client();
  expect((await auth.signInWithPassword({ email, password: '🔑🔑🔑🔑🔑🔑' })).error).toBeNull();

  const longest = 'x'.repeat(72);
  const other = await registerOwner(server, { password: longest });
  expect((await auth.signInWithPassword({ email: other.email, password: longest })).error).toBeNull();
  for (const tail of ['a', 'b', 'x'.repeat(900)]) {
    expect((await auth.signInWithPassword({ email: other.email, password: longest + tail })).error).toMatchObject({
      code: 'invalid_credentials',
    });
  }
});
