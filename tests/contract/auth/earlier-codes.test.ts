import { expect, test } from 'vitest';
import { codeIn, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { callAuth, cookiesOf } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';
import { startAuthByMail } from './support/start-auth-by-mail.ts';

/** Anyone may request a code or a link for any address. That must not end those that its owner was sent before. */
const { database, clock, server } = await startAuthByMail();

const MINUTE = 60_000;
const REFUSED = { status: 403, body: { code: 'otp_expired' } };

interface Mail {
  readonly text: string;
}

/** The mails to an address that have a code, oldest first. */
const mailsTo = (email: string): readonly Mail[] => withCodes(server.delivery.emails).filter(({ to }) => to === email);

/** Requests a message from a new browser. Returns the browser's cookies and the mail. */
async function ask(path: string, email: string, body: object = {}) {
  clock.advance(MINUTE);
  const before = mailsTo(email).length;
  const response = await callAuth(server, 'POST', path, { email, ...body });
  expect(response.status).toBe(200);
  const mail = mailsTo(email)[before];
  if (mail === undefined) throw new Error(`Nothing was sent to ${email}.`);
  return { browser: cookiesOf(response), mail };
}

function follow(mail: Mail, headers = {}) {
  const { tokenHash, type } = ownLinkIn(mail);
  return callAuth(server, 'POST', '/verify', { type, token_hash: tokenHash }, headers);
}

const type = (email: string, code: string, headers = {}) =>
  callAuth(server, 'POST', '/verify', { type: 'email', email, token: code }, headers);

const anOwner = async () => (await registerOwner(server, { phone: '' })).email;

const ASKED = [
  ['/otp', { create_user: false }, anOwner],
  ['/recover', {}, anOwner],
  ['/otp', {}, async () => anEmail()],
  ['/signup', { password: 'correct horse' }, async () => anEmail()],
] as const;

test.each(ASKED)(
  'after eight requests of strangers to %s with %o the first link works, and its use ends all [K24]',
  async (path, body, whose) => {
    const email = await whose();
    const first = await ask(path, email, body);
    const others: Mail[] = [];
    for (let at = 0; at < 8; at += 1) others.push((await ask(path, email, body)).mail);
    expect((await follow(first.mail, first.browser)).status).toBe(200);
    for (const mail of [first.mail, ...others]) expect(await follow(mail)).toMatchObject(REFUSED);
    expect(await database.query('select from auth.one_time_tokens where relates_to = $1', [email])).toEqual([]);
  },
);

test.each(ASKED)(
  'after a stranger’s request to %s with %o the first browser can still enter its code [K24]',
  async (path, body, whose) => {
    const email = await whose();
    const { browser, mail } = await ask(path, email, body);
    const newer = await ask(path, email, body);
    expect((await type(email, codeIn(mail), browser)).status).toBe(200);
    expect(await type(email, codeIn(newer.mail), newer.browser)).toMatchObject(REFUSED);
  },
);

test('the browser that requested first can also enter the newest code', async () => {
  const email = await anOwner();
  const { browser } = await ask('/otp', email, { create_user: false });
  const newest = await ask('/otp', email, { create_user: false });
  expect((await type(email, codeIn(newest.mail), browser)).status).toBe(200);
});

test('a guess is compared with the newest code and the newest of its browser, and with no other', async () => {
  const email = await anOwner();
  const first = await ask('/otp', email, { create_user: false });
  const [second, third] = [
    await ask('/otp', email, { create_user: false }),
    await ask('/otp', email, { create_user: false }),
  ];
  const codes = [first, second, third].map(({ mail }) => codeIn(mail));
  expect(new Set(codes).size).toBe(3);
  expect(await type(email, codes[0] ?? '')).toMatchObject(REFUSED);
  expect(await type(email, codes[0] ?? '', second.browser)).toMatchObject(REFUSED);
  expect(await type(email, codes[1] ?? '', first.browser)).toMatchObject(REFUSED);
  expect((await type(email, codes[1] ?? '', second.browser)).status).toBe(200);
});

test('when several links are opened at once, one opens a session [K24]', async () => {
  const email = await anOwner();
  const mails: Mail[] = [];
  for (let at = 0; at < 5; at += 1) mails.push((await ask('/recover', email)).mail);
  const statuses = await Promise.all(mails.map(async (mail) => (await follow(mail)).status));
  expect(statuses.sort()).toEqual([200, 403, 403, 403, 403]);
});

test('a link ends at its own time, whatever is requested later', async () => {
  const email = await anOwner();
  const { mail } = await ask('/recover', email);
  clock.advance(30 * MINUTE);
  const later = await ask('/recover', email);
  clock.advance(30 * MINUTE);
  expect(await follow(mail)).toMatchObject(REFUSED);
  expect((await follow(later.mail)).status).toBe(200);
});

test('a new password ends all codes and links', async () => {
  const { email, client } = await registerOwner(server, { phone: '' });
  const mails = [await ask('/otp', email), await ask('/recover', email), await ask('/recover', email)];
  expect((await client.auth.updateUser({ password: 'another horse' })).error).toBeNull();
  for (const { mail, browser } of mails) {
    expect(await follow(mail)).toMatchObject(REFUSED);
    expect(await type(email, codeIn(mail), browser)).toMatchObject(REFUSED);
  }
});

test('a changed address ends codes and links to the previous one; a stranger’s resend of the change ends none', async () => {
  const { email, client } = await registerOwner(server, { phone: '' });
  const { mail: recovery } = await ask('/recover', email);
  clock.advance(MINUTE);
  const newEmail = anEmail();
  expect((await client.auth.updateUser({ email: newEmail })).error).toBeNull();
  const [toNew] = mailsTo(newEmail);
  const toCurrent = mailsTo(email).at(-1);
  if (toNew === undefined || toCurrent === undefined) throw new Error('The change was not asked about.');
  clock.advance(MINUTE);
  const again = await callAuth(server, 'POST', '/resend', { type: 'email_change', email: newEmail });
  expect(again.status).toBe(200);
  expect(mailsTo(newEmail)).toHaveLength(2);

  expect((await follow(toCurrent)).status).toBe(200);
  const { tokenHash } = ownLinkIn(toNew);
  expect((await client.auth.verifyOtp({ token_hash: tokenHash, type: 'email_change' })).error).toBeNull();
  expect(await follow(recovery)).toMatchObject(REFUSED);
  expect(await database.query('select from auth.users where email = $1', [newEmail])).toHaveLength(1);
});

test('a change to another address ends the links of the earlier change', async () => {
  const { client, email } = await registerOwner(server, { phone: '' });
  const [first, second] = [anEmail(), anEmail()];
  expect((await client.auth.updateUser({ email: first })).error).toBeNull();
  clock.advance(MINUTE);
  expect((await client.auth.updateUser({ email: second })).error).toBeNull();
  const [agreedFirst] = mailsTo(email).slice(-2);
  for (const mail of [agreedFirst, mailsTo(first)[0]]) {
    expect(await follow(mail ?? { text: '' })).toMatchObject(REFUSED);
  }
});
