import { expect, test } from 'vitest';
import { codeIn, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';
import { startAuthByMail } from './support/start-auth-by-mail.ts';

const { database, clock, server } = await startAuthByMail();
const bySms = await startTestServer(database, { clock, secrets: server.secrets });

const MINUTE = 60_000;
const LINK_REFUSED = { status: 403, code: 'otp_expired', message: 'Email link is invalid or has expired' };
const CODE_REFUSED = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' };

/** An owner with a proved address, and the mail with the requested password reset. */
async function forgetful() {
  const owner = await registerOwner(server, { phone: '' });
  await server.delivery.takeEmailTo(owner.email);
  clock.advance(MINUTE);
  const { auth } = server.client();
  const { error } = await auth.resetPasswordForEmail(owner.email, { redirectTo: `${server.url}/auth?reset=true` });
  expect(error).toBeNull();
  return { owner, mail: await server.delivery.takeEmailTo(owner.email) };
}

test('the link in the mail opens the new-password form; the new password is the only one, and other devices are out [B15]', async () => {
  const { owner, mail } = await forgetful();
  const link = ownLinkIn(mail);
  expect(link.page).toBe(`${server.url}/auth?reset=true`);
  expect(link.type).toBe('recovery');

  const { auth } = server.client();
  const { data, error } = await auth.verifyOtp({ token_hash: link.tokenHash, type: 'recovery' });
  expect(error).toBeNull();
  expect(data.user?.id).toBe(owner.user.id);
  expect((await auth.updateUser({ password: 'another horse' })).error).toBeNull();
  expect((await owner.client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
  const { email } = owner;
  const fresh = server.client();
  expect((await fresh.auth.signInWithPassword({ email, password: owner.password })).error).toMatchObject({
    code: 'invalid_credentials',
  });
  expect((await fresh.auth.signInWithPassword({ email, password: 'another horse' })).error).toBeNull();
});

test('the code in the email does the same, and using either spends both', async () => {
  const { owner, mail } = await forgetful();
  const { auth } = server.client();
  const token = codeIn(mail);
  const { data } = await auth.verifyOtp({ email: owner.email, token, type: 'recovery' });
  expect(data.user?.id).toBe(owner.user.id);
  expect((await auth.verifyOtp({ email: owner.email, token, type: 'recovery' })).error).toMatchObject(CODE_REFUSED);
  const { tokenHash } = ownLinkIn(mail);
  expect((await auth.verifyOtp({ token_hash: tokenHash, type: 'recovery' })).error).toMatchObject(LINK_REFUSED);
});

test('a link is valid for an hour, its code for ten minutes', async () => {
  const { owner, mail } = await forgetful();
  const { auth } = server.client();
  clock.advance(10 * MINUTE);
  const byCode = await auth.verifyOtp({ email: owner.email, token: codeIn(mail), type: 'recovery' });
  expect(byCode.error).toMatchObject(CODE_REFUSED);
  clock.advance(50 * MINUTE - 1);
  expect((await auth.verifyOtp({ token_hash: ownLinkIn(mail).tokenHash, type: 'recovery' })).error).toBeNull();
  const late = await forgetful();
  clock.advance(60 * MINUTE);
  const { error } = await auth.verifyOtp({ token_hash: ownLinkIn(late.mail).tokenHash, type: 'recovery' });
  expect(error).toMatchObject(LINK_REFUSED);
});

test('wrong guesses at the code do not end the link', async () => {
  const { owner, mail } = await forgetful();
  const { auth } = server.client();
  const wrong = String((Number(codeIn(mail)) + 1) % 1_000_000).padStart(6, '0');
  for (let guess = 1; guess <= 5; guess += 1) {
    await auth.verifyOtp({ email: owner.email, token: wrong, type: 'recovery' });
  }
  const byCode = await auth.verifyOtp({ email: owner.email, token: codeIn(mail), type: 'recovery' });
  expect(byCode.error).toMatchObject(CODE_REFUSED);
  expect((await auth.verifyOtp({ token_hash: ownLinkIn(mail).tokenHash, type: 'recovery' })).error).toBeNull();
});

test('a link is refused as another type, an invented one is refused, and using the newer one ends the older', async () => {
  const { owner, mail } = await forgetful();
  const { auth } = server.client();
  for (const type of ['signup', 'invite', 'magiclink', 'email_change'] as const) {
    const { error } = await auth.verifyOtp({ token_hash: ownLinkIn(mail).tokenHash, type });
    expect(error).toMatchObject(LINK_REFUSED);
  }
  clock.advance(MINUTE);
  await auth.resetPasswordForEmail(owner.email);
  const newer = ownLinkIn(await server.delivery.takeEmailTo(owner.email));
  for (const hash of [`${newer.tokenHash}x`, newer.tokenHash.slice(1), 'x'.repeat(43)]) {
    expect((await auth.verifyOtp({ token_hash: hash, type: 'recovery' })).error).toMatchObject(LINK_REFUSED);
  }
  expect((await auth.verifyOtp({ token_hash: newer.tokenHash, type: 'recovery' })).error).toBeNull();
  const older = await auth.verifyOtp({ token_hash: ownLinkIn(mail).tokenHash, type: 'recovery' });
  expect(older.error).toMatchObject(LINK_REFUSED);
});

test('of fifty clients that follow one link at once, one gets a session', async () => {
  const { mail } = await forgetful();
  const body = { token_hash: ownLinkIn(mail).tokenHash, type: 'recovery' };
  const responses = await Promise.all(Array.from({ length: 50 }, () => callAuth(server, 'POST', '/verify', body)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(403)]);
});

test('neither the database nor the log holds the code or the link', async () => {
  const { owner, mail } = await forgetful();
  const [stored] = await database.query<{ everything: string }>(
    `select json_agg(token)::text as everything from auth.one_time_tokens as token where user_id = $1`,
    [owner.user.id],
  );
  const { tokenHash } = ownLinkIn(mail);
  for (const place of [stored?.everything ?? '', server.logged.join('')]) {
    expect(place).not.toContain(tokenHash);
    expect(place).not.toContain(Buffer.from(tokenHash).toString('hex'));
  }
  expect(server.logged.join('')).not.toContain(owner.email);
});

test('known, unknown, banned, and unconfirmed addresses get the same response [A9]', async () => {
  const [known, banned] = [await registerOwner(server, { phone: '' }), await registerOwner(server, { phone: '' })];
  await database.query("update auth.users set banned_until = 'infinity' where id = $1", [banned.user.id]);
  const [unconfirmed, unknown] = [anEmail(), anEmail()];
  await callAuth(server, 'POST', '/signup', { email: unconfirmed, password: 'correct horse' });
  clock.advance(MINUTE);
  const responses = [];
  for (const email of [known.email, unknown, banned.email, unconfirmed]) {
    const from = { 'X-Forwarded-For': anAddress() };
    for (const repeat of [1, 2]) {
      const { status, headers, body } = await callAuth(server, 'POST', '/recover', { email }, from);
      responses.push({ email, repeat, response: { status, names: [...headers.keys()].sort(), body } });
    }
  }
  for (const { repeat, response } of responses) {
    expect(response).toEqual(responses[repeat - 1]?.response);
  }
  expect(responses[0]?.response).toMatchObject({ status: 200, body: {} });
  expect(responses[1]?.response).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } });
  const mailed = withCodes(server.delivery.emails)
    .slice(-2)
    .map(({ to }) => to);
  expect(mailed.sort()).toEqual([known.email, unconfirmed].sort());
});

test('a request for a new password does not delay a sign-up with that address [K28]', async () => {
  const email = anEmail();
  const from = { 'X-Forwarded-For': anAddress() };
  const post = async (path: string, body: object) => (await callAuth(server, 'POST', path, body, from)).status;
  expect(await post('/recover', { email })).toBe(200);
  expect(await post('/recover', { email })).toBe(429);
  expect(await post('/signup', { email, password: 'correct horse' })).toBe(200);
  expect(codeIn(await server.delivery.takeEmailTo(email))).toMatch(/^\d{6}$/);
  expect(await post('/signup', { email, password: 'correct horse' })).toBe(429);
});

test('a claimed address recovers no account: its email explains how to sign in [K2]', async () => {
  const owner = await registerOwner(bySms);
  await bySms.delivery.takeSmsTo(owner.phone);
  clock.advance(MINUTE);
  const before = bySms.delivery.texts.length;
  expect((await bySms.client().auth.resetPasswordForEmail(owner.email)).error).toBeNull();
  const subject = 'Your email isn’t confirmed for Reunite';
  const mail = () => bySms.delivery.emails.find((one) => one.to === owner.email && one.subject === subject);
  await expect.poll(mail).toBeDefined();
  expect(mail()?.text).toContain(`${bySms.url}/auth?mode=phone`);
  expect(mail()?.text).not.toMatch(/token_hash|\d{6}/);
  expect(bySms.delivery.texts.slice(before), 'the phone may be a stranger’s').toEqual([]);
});

test('recovery of an unconfirmed account keeps the typed name and none of the other typed details', async () => {
  const email = anEmail();
  await bySms.client().auth.signUp({ email, password: 'of a stranger' });
  await bySms.delivery.takeEmailTo(email);
  clock.advance(MINUTE);
  await bySms.client().auth.resetPasswordForEmail(email);
  const { tokenHash } = ownLinkIn(await bySms.delivery.takeEmailTo(email));
  const { data } = await bySms.client().auth.verifyOtp({ token_hash: tokenHash, type: 'recovery' });
  expect(data.user).toMatchObject({ email, app_metadata: { password_needed: true } });
  expect(data.user?.email_confirmed_at).toBeDefined();
  const signIn = await bySms.client().auth.signInWithPassword({ email, password: 'of a stranger' });
  expect(signIn.error).toMatchObject({ code: 'invalid_credentials' });
});
