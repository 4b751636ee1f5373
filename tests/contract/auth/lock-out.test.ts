import { expect, test } from 'vitest';
import { catchDelivery, codeIn, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { ANSWERING_SOONER } from './support/answer-sooner.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';

/** Whoever asks for codes as often as the service lets anybody ask must not keep the rightful person out. */
const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, {
  auth: ANSWERING_SOONER,
  clock,
  delivery: catchDelivery({ hasSms: false }),
});
const bySms = await startTestServer(database, { auth: ANSWERING_SOONER, clock, secrets: server.secrets });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Asks from one address after the other, once a minute, whether it is answered or refused. */
async function askFor(path: string, body: object, times = 25, on: TestServer = server): Promise<void> {
  for (let asked = 0; asked < times; asked += 1) {
    await callAuth(on, 'POST', path, body);
    clock.advance(MINUTE);
  }
}

const mailsTo = (email: string) => withCodes(server.delivery.emails).filter(({ to }) => to === email);

test('after all that strangers may ask, the owner recovers with the link that is there, for as long as a new one', async () => {
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

test('where that link is over or used, a new one is sent, whatever was asked before', async () => {
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

test('a link is not good for longer than a day after it was sent, however often it is asked for', async () => {
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
])('after all that strangers may ask of %s, a newcomer registers and comes in', async (path, body) => {
  for (const on of [server, bySms]) {
    const [email, phone] = [anEmail(), aPhone()];
    await askFor(path, { email, ...body }, 25, on);
    const before = [...on.delivery.texts, ...on.delivery.emails].length;
    const data = on === bySms ? { phone } : {};
    const answer = await callAuth(on, 'POST', '/signup', { email, password: 'correct horse', data });
    expect(answer.status).toBe(200);
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

test('a device where the account has signed in is sent codes whatever strangers asked for', async () => {
  const owner = await registerOwner(bySms);
  const signedIn = await callAuth(bySms, 'POST', '/token?grant_type=password', {
    email: owner.email,
    password: owner.password,
  });
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  const texts = () => bySms.delivery.texts.filter(({ to }) => to === owner.phone).length;
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

test('where strangers used up the SMS of a number, its code goes by e-mail to the address that the account has proved', async () => {
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

test('with a hundred wrong passwords tried, the owner comes in on a new device by a mailed link, and by the password there', async () => {
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
  await Promise.all(Array.from({ length: 100 }, (_, at) => signIn(`guess ${at}`)));
  expect((await signIn(password)).status).toBe(429);

  clock.advance(MINUTE);
  await callAuth(server, 'POST', '/otp', { email, create_user: false });
  const { tokenHash } = ownLinkIn(mailsTo(email).at(-1) ?? { text: '' });
  const followed = await callAuth(server, 'POST', '/verify', { type: 'magiclink', token_hash: tokenHash });
  expect(followed.status).toBe(200);
  const cookie = (followed.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  expect((await signIn(password, cookie)).status).toBe(200);
});

test('with the mail server away every address is answered alike, the first time and the second', async () => {
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
    const answers = [];
    for (const email of [known.email, pending, anEmail()]) {
      const from = { 'X-Forwarded-For': anAddress() };
      const statuses = [];
      for (const wait of [0, 5_000, MINUTE]) {
        clock.advance(wait);
        statuses.push((await callAuth(server, 'POST', path, { email, ...body }, from)).status);
      }
      answers.push(statuses);
    }
    expect(answers, path).toEqual(Array(3).fill([200, 429, 200]));
  }
  server.delivery.down = false;
  await callAuth(server, 'POST', '/recover', { email: known.email });
  expect(ownLinkIn(mailsTo(known.email).at(-1) ?? { text: '' }).type, 'what was not sent is not counted').toBe(
    'recovery',
  );
});
