import { expect, test } from 'vitest';
import { codeIn, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { callAuth, cookiesOf } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';
import { startAuthByMail } from './support/start-auth-by-mail.ts';

/** An attacker who requests codes as often as allowed must not lock the owner out. */
const { database, clock, server } = await startAuthByMail();
const bySms = await startTestServer(database, { clock, secrets: server.secrets });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Sends requests from a new address each, once a minute, whatever the response. */
async function askFor(path: string, body: object, times = 25, on: TestServer = server): Promise<void> {
  for (let asked = 0; asked < times; asked += 1) {
    await callAuth(on, 'POST', path, body);
    clock.advance(MINUTE);
  }
}

const mailsTo = (email: string) => withCodes(server.delivery.emails).filter(({ to }) => to === email);

test('after all requests that strangers may make, the owner recovers with the existing link, which lives as long as a new one [K4]', async () => {
  const owner = await registerOwner(server, { phone: '' });
  const { email } = owner;
  const before = mailsTo(email).length;
  await askFor('/recover', { email });
  expect(mailsTo(email).length - before, 'a mailbox is not flooded').toBe(20);

  clock.advance(50 * MINUTE);
  expect(await callAuth(server, 'POST', '/recover', { email })).toMatchObject({ status: 200, body: {} });
  const newest = mailsTo(email).at(-1);
  expect(mailsTo(email).length - before).toBe(20);
  clock.advance(59 * MINUTE);
  const { auth } = server.client();
  const { tokenHash } = ownLinkIn(newest ?? { text: '' });
  expect((await auth.verifyOtp({ token_hash: tokenHash, type: 'recovery' })).error).toBeNull();
  expect((await auth.updateUser({ password: 'another horse' })).error).toBeNull();
});

test('once that link has expired or been used, a new one is sent, however many were requested before [K4]', async () => {
  const { email } = await registerOwner(server, { phone: '' });
  await askFor('/recover', { email });
  const before = mailsTo(email).length;
  clock.advance(HOUR);
  await callAuth(server, 'POST', '/recover', { email });
  expect(mailsTo(email)).toHaveLength(before + 1);
  const { tokenHash } = ownLinkIn(mailsTo(email).at(-1) ?? { text: '' });
  expect((await server.client().auth.verifyOtp({ token_hash: tokenHash, type: 'recovery' })).error).toBeNull();
  clock.advance(MINUTE);
  await callAuth(server, 'POST', '/recover', { email });
  expect(mailsTo(email)).toHaveLength(before + 2);
});

test('a link is valid for at most a day after it was sent, however often it is requested', async () => {
  const { email } = await registerOwner(server, { phone: '' });
  await askFor('/recover', { email }, 20);
  const { tokenHash } = ownLinkIn(mailsTo(email).at(-1) ?? { text: '' });
  for (let at = 0; at < 23 * 60; at += 45) {
    clock.advance(45 * MINUTE);
    await callAuth(server, 'POST', '/recover', { email });
  }
  clock.advance(HOUR);
  const late = await server.client().auth.verifyOtp({ token_hash: tokenHash, type: 'recovery' });
  expect(late.error).toMatchObject({ code: 'otp_expired' });
});

test.each([
  ['/recover', {}],
  ['/otp', { create_user: false }],
  ['/resend', { type: 'signup' }],
  ['/signup', { password: 'of a stranger' }],
])('after all requests of %s that strangers may make, a new user can still register [K4]', async (path, body) => {
  for (const on of [server, bySms]) {
    const [email, phone] = [anEmail(), aPhone()];
    await askFor(path, { email, ...body }, 25, on);
    const before = [...on.delivery.texts, ...on.delivery.emails].length;
    const data = on === bySms ? { phone } : {};
    const response = await callAuth(on, 'POST', '/signup', { email, password: 'correct horse', data });
    expect(response.status).toBe(200);
    const sent = [...on.delivery.texts, ...on.delivery.emails].length > before;
    if (sent) {
      const token = on.delivery.codeFor(
        on === bySms && on.delivery.texts.some(({ to }) => to === phone) ? phone : email,
      );
      const verified = await callAuth(on, 'POST', '/verify', { type: 'signup', email, token });
      expect(verified.status).toBe(200);
    } else {
      const mail = withCodes(on.delivery.emails)
        .filter(({ to }) => to === email)
        .at(-1);
      const { tokenHash } = ownLinkIn(mail ?? { text: '' });
      const { error } = await on.client().auth.verifyOtp({ token_hash: tokenHash, type: 'signup' });
      expect(error).toBeNull();
    }
  }
});

test('a known device gets codes, whatever strangers requested [K4]', async () => {
  const owner = await registerOwner(bySms);
  const signedIn = await callAuth(bySms, 'POST', '/token?grant_type=password', {
    email: owner.email,
    password: owner.password,
  });
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  // Of codes: an SMS about the sign-in comes at some moment.
  const texts = () => withCodes(bySms.delivery.texts).filter(({ to }) => to === owner.phone).length;
  const before = texts();
  await askFor('/otp', { phone: owner.phone }, 25, bySms);
  expect(texts() - before).toBe(20);
  clock.advance(10 * MINUTE);
  expect((await callAuth(bySms, 'POST', '/otp', { phone: owner.phone })).status).toBe(200);
  expect(texts() - before, 'another device').toBe(20);
  expect((await callAuth(bySms, 'POST', '/otp', { phone: owner.phone }, { Cookie: cookie })).status).toBe(200);
  expect(texts() - before).toBe(21);
  const token = bySms.delivery.codeFor(owner.phone);
  expect((await callAuth(bySms, 'POST', '/verify', { type: 'sms', phone: owner.phone, token })).status).toBe(200);
});

test('when strangers have used up the SMS of a number, the code goes to the account’s proved email address', async () => {
  const owner = await registerOwner(bySms);
  await database.query(
    'update auth.users set email = claimed_email, claimed_email = null, email_confirmed_at = now() where id = $1',
    [owner.user.id],
  );
  await askFor('/otp', { phone: owner.phone }, 20, bySms);
  clock.advance(10 * MINUTE);
  await callAuth(bySms, 'POST', '/otp', { phone: owner.phone });
  const mail = withCodes(bySms.delivery.emails).findLast(({ to }) => to === owner.email);
  expect(mail).toBeDefined();
  const body = { type: 'email', email: owner.email, token: codeIn(mail ?? { text: '' }) };
  expect((await callAuth(bySms, 'POST', '/verify', body)).status).toBe(200);
});

test('after a hundred wrong passwords the owner signs in on a new device by a mailed link, and then by password there [K4]', async () => {
  const owner = await registerOwner(server, { phone: '' });
  const { email, password } = owner;
  const signIn = (word: string, cookie = '') =>
    callAuth(
      server,
      'POST',
      '/token?grant_type=password',
      { email, password: word },
      { 'X-Forwarded-For': anAddress(), Cookie: cookie },
    );
  // On a busy machine one of many at once may be turned away before it is compared, and is not counted.
  for (let wrong = 0; wrong < 100; ) {
    const guesses = await Promise.all(Array.from({ length: 10 }, (_, at) => signIn(`guess ${wrong + at}`)));
    wrong += guesses.filter(({ body }) => body.code === 'invalid_credentials').length;
    if (guesses.some(({ status }) => status === 429)) break;
  }
  expect((await signIn(password)).status).toBe(429);

  clock.advance(MINUTE);
  await callAuth(server, 'POST', '/otp', { email, create_user: false });
  const { tokenHash } = ownLinkIn(mailsTo(email).at(-1) ?? { text: '' });
  const followed = await callAuth(server, 'POST', '/verify', { type: 'magiclink', token_hash: tokenHash });
  expect(followed.status).toBe(200);
  const cookie = (followed.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  expect((await signIn(password, cookie)).status).toBe(200);
});

test('with the mail server down every address gets the same response, the first and the second time [K7]', async () => {
  const known = await registerOwner(server, { phone: '' });
  const pending = anEmail();
  await callAuth(server, 'POST', '/signup', { email: pending, password: 'correct horse' });
  clock.advance(MINUTE);
  server.delivery.down = true;
  for (const [path, body] of [
    ['/recover', {}],
    ['/otp', { create_user: false }],
    ['/resend', { type: 'signup' }],
  ] as const) {
    const responses = [];
    for (const email of [known.email, pending, anEmail()]) {
      const from = { 'X-Forwarded-For': anAddress() };
      const statuses = [];
      for (const wait of [0, 5_000, MINUTE]) {
        clock.advance(wait);
        statuses.push((await callAuth(server, 'POST', path, { email, ...body }, from)).status);
      }
      responses.push(statuses);
    }
    expect(responses, path).toEqual(Array(3).fill([200, 429, 200]));
  }
  server.delivery.down = false;
  await callAuth(server, 'POST', '/recover', { email: known.email });
  expect(ownLinkIn(mailsTo(known.email).at(-1) ?? { text: '' }).type, 'what was not sent is not counted').toBe(
    'recovery',
  );
});

test('while codes are off, an email with a link replaces the SMS; a known device still gets the SMS [K5]', async () => {
  const owner = await registerOwner(bySms);
  await database.query(
    'update auth.users set email = claimed_email, claimed_email = null, email_confirmed_at = now() where id = $1',
    [owner.user.id],
  );
  await database.query('insert into auth.code_failures (user_id, in_a_row) values ($1, 100)', [owner.user.id]);
  clock.advance(MINUTE);
  const before = bySms.delivery.texts.length;
  await callAuth(bySms, 'POST', '/otp', { phone: owner.phone });
  expect(bySms.delivery.texts.slice(before)).toEqual([]);
  const mail = withCodes(bySms.delivery.emails).findLast(({ to }) => to === owner.email);
  expect(() => codeIn(mail ?? { text: '' })).toThrow('There is no code in');
  const { tokenHash } = ownLinkIn(mail ?? { text: '' });

  const cookie = { Cookie: bySms.cookiesOf(owner.client) };
  await callAuth(bySms, 'POST', '/otp', { phone: owner.phone }, cookie);
  expect(bySms.delivery.texts.slice(before).map(({ to }) => to)).toEqual([owner.phone]);
  const token = bySms.delivery.codeFor(owner.phone);
  const body = { type: 'sms', phone: owner.phone, token };
  expect((await callAuth(bySms, 'POST', '/verify', body, cookie)).status).toBe(200);
  expect(tokenHash).not.toBe('');
});

test('after all requests and guesses that strangers may make, a new user with a phone number registers by a mailed link [K38]', async () => {
  const [email, phone] = [anEmail(), aPhone()];
  const client = bySms.client();
  const register = () => client.auth.signUp({ email, password: 'correct horse', options: { data: { phone } } });
  expect((await register()).error).toBeNull();
  const token = bySms.delivery.codeFor(phone);
  const asked = await callAuth(bySms, 'POST', '/otp', { email });
  const Cookie = asked.headers
    .getSetCookie()
    .map((set) => set.split(';', 1)[0])
    .join('; ');
  const guess = (headers: object) =>
    callAuth(bySms, 'POST', '/verify', { type: 'signup', email, token: 'wrong' }, { ...headers });
  for (let at = 0; at < 30; at += 1) await guess(at < 15 ? { Cookie } : {});
  expect((await client.auth.verifyOtp({ email, token, type: 'signup' })).error?.code).toBe('over_request_rate_limit');

  clock.advance(MINUTE);
  const again = await client.auth.resend({ type: 'signup', email });
  expect(again.error?.code, 'another SMS would not help').toBe('sms_held_back');
  clock.advance(MINUTE);
  expect((await register()).data.user?.app_metadata.confirmation_sent_by).toBe('email');
  const mail = withCodes(bySms.delivery.emails).findLast(({ to }) => to === email);
  const { tokenHash } = ownLinkIn(mail ?? { text: '' });
  const { data, error } = await client.auth.verifyOtp({ token_hash: tokenHash, type: 'signup' });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ email, user_metadata: { phone } });
  expect((await client.auth.signInWithPassword({ email, password: 'correct horse' })).error).toBeNull();
});

test('an account that claims the address does not make its browser a known device for a new user’s code [K38]', async () => {
  const thief = await registerOwner(bySms);
  const { email, phone } = thief;
  clock.advance(MINUTE);
  const client = bySms.client();
  expect((await client.auth.signUp({ email, password: 'another horse' })).error).toBeNull();
  const token = codeIn(withCodes(bySms.delivery.emails).findLast(({ to }) => to === email) ?? { text: '' });
  const Cookie = bySms.cookiesOf(thief.client);
  await callAuth(bySms, 'POST', '/otp', { phone }, { Cookie });
  for (let at = 0; at < 5; at += 1) {
    const guess = await callAuth(bySms, 'POST', '/verify', { type: 'email', email, token: 'wrong' }, { Cookie });
    expect(guess.status).toBe(403);
  }
  const failures =
    'select in_a_row from auth.code_failures where user_id <> $1 and user_id in (select id from auth.users where claimed_email = $2)';
  expect(await database.query(failures, [thief.user.id, email]), 'each is counted').toEqual([{ in_a_row: 5 }]);
  expect((await client.auth.verifyOtp({ email, token, type: 'signup' })).error).toBeNull();
});

test('a stranger’s registration with the owner’s number leaves the owner’s known device known [K45]', async () => {
  const owner = await registerOwner(bySms);
  const { phone } = owner;
  clock.advance(MINUTE);
  const stranger = { email: anEmail(), password: 'another horse', options: { data: { phone } } };
  expect((await bySms.client().auth.signUp(stranger)).error).toBeNull();
  for (let at = 0; at < 30; at += 1) {
    await callAuth(bySms, 'POST', '/verify', { type: 'sms', phone, token: 'wrong' });
  }
  clock.advance(MINUTE);
  const { auth } = owner.client;
  expect((await auth.signInWithOtp({ phone })).error).toBeNull();
  const sent = withCodes(bySms.delivery.texts).findLast(({ to }) => to === phone);
  expect((await auth.verifyOtp({ phone, token: codeIn(sent ?? { text: '' }), type: 'sms' })).error).toBeNull();
});

test('an account with an address and a number has 25 guesses a day at both together, and no response says so [K5]', async () => {
  const phone = aPhone();
  const { email, user, password } = await registerOwner(server, { phone: '' });
  await database.query('update auth.users set phone = $2, phone_confirmed_at = now() where id = $1', [
    user.id,
    phone.slice(1),
  ]);
  const call = (path: string, body: object, headers = {}) => callAuth(bySms, 'POST', path, body, headers);
  const askBy = async (named: object, code: () => string) => {
    clock.advance(2 * MINUTE);
    const response = await call('/otp', { ...named, create_user: false });
    expect(response.status).toBe(200);
    return { browser: cookiesOf(response), code: code() };
  };
  const mailed = () => bySms.delivery.codeFor(email);
  const texted = () => bySms.delivery.codeFor(phone);

  for (let round = 0; round < 5; round += 1) {
    const { browser, code } = await askBy({ email }, mailed);
    const body = { type: 'email', email, token: code === '000000' ? '000001' : '000000' };
    for (const headers of [browser, browser, browser, {}, {}]) {
      expect((await call('/verify', body, headers)).status).toBe(403);
    }
  }
  const { browser, code } = await askBy({ phone }, texted);
  const right = { type: 'sms', phone, token: code };
  expect(await call('/verify', right, browser)).toMatchObject({ status: 403, body: { code: 'otp_expired' } });
  // A known device is not delayed.
  const device = cookiesOf(await call('/token?grant_type=password', { email, password }));
  expect((await call('/verify', right, device)).status).toBe(200);
  clock.advance(DAY);
  const next = await askBy({ phone }, texted);
  expect((await call('/verify', { ...right, token: next.code }, next.browser)).status).toBe(200);
});
