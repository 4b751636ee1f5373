import { expect, test } from 'vitest';
import { codeIn, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { callAuth, cookiesOf } from './support/call-auth.ts';
import { ownLinkIn } from './support/link-in.ts';
import { startAuthByMail } from './support/start-auth-by-mail.ts';

const { database, clock, server } = await startAuthByMail();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const ownerOfAddress = () => registerOwner(server, { phone: '' });

/** Requests a code. Returns the requesting browser's cookies, and the code and link where one was sent. */
async function ask(email: string, path: '/otp' | '/recover' = '/otp') {
  const response = await callAuth(server, 'POST', path, { email, create_user: false });
  expect(response.status).toBe(200);
  const mail = withCodes(server.delivery.emails).findLast(({ to }) => to === email);
  return { browser: cookiesOf(response), mail: mail ?? { text: '' } };
}

const guess = (email: string, token: string, headers = {}, type = 'email') =>
  callAuth(server, 'POST', '/verify', { type, email, token }, headers);

/** Six digits that are not the code. */
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

test('strangers have ten guesses a day across all kinds of codes; the requesting browser still signs in', async () => {
  const { email } = await ownerOfAddress();
  const statuses: number[] = [];
  for (const path of ['/otp', '/recover'] as const) {
    clock.advance(MINUTE);
    const code = codeIn((await ask(email, path)).mail);
    for (let at = 1; at <= 5; at += 1) statuses.push((await guess(email, wrong(code, at))).status);
  }
  expect(statuses).toEqual(Array(10).fill(403));

  clock.advance(MINUTE);
  const { browser, mail } = await ask(email);
  const refused = await guess(email, codeIn(mail));
  expect(refused).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await guess(email, codeIn(mail), browser)).status).toBe(200);
});

test('an address without an account is counted like one with [K5]', async () => {
  const email = anEmail();
  const { browser } = await ask(email);
  for (const [headers, count] of [
    [{}, 10],
    [browser, 15],
  ] as const) {
    const statuses: number[] = [];
    for (let at = 0; at <= count; at += 1) statuses.push((await guess(email, wrong('000000', at), headers)).status);
    expect(statuses).toEqual([...Array(count).fill(403), 429]);
  }
});

test('five wrong guesses by strangers leave the code valid for the requesting browser [K5]', async () => {
  const { email } = await ownerOfAddress();
  clock.advance(MINUTE);
  const { browser, mail } = await ask(email);
  const code = codeIn(mail);
  for (let at = 1; at <= 5; at += 1) await guess(email, wrong(code, at));
  expect((await guess(email, code)).status, 'a stranger').toBe(403);
  expect((await guess(email, code, browser)).status).toBe(200);
});

test('a stranger who also requests a code and guesses five times does not end the code of the first browser [K38]', async () => {
  const { email } = await ownerOfAddress();
  clock.advance(MINUTE);
  const { browser, mail } = await ask(email);
  const code = codeIn(mail);
  // Within the minute nothing more is sent, so the stranger guesses at the same code.
  const stranger = (await ask(email)).browser;
  for (let at = 1; at <= 5; at += 1) expect((await guess(email, wrong(code, at), stranger)).status).toBe(403);
  expect((await guess(email, code, stranger)).status, 'the stranger').toBe(403);
  expect((await guess(email, code, browser)).status).toBe(200);
});

test('the cookie of a requesting browser is valid for that address and the code’s life, and cannot be forged', async () => {
  const { email } = await ownerOfAddress();
  clock.advance(MINUTE);
  const { browser, mail } = await ask(email);
  const other = (await ask(anEmail())).browser;
  const [until = ''] = browser.Cookie.split('=')[1]?.split('.') ?? [];
  const code = codeIn(mail);
  for (let at = 1; at <= 5; at += 1) await guess(email, wrong(code, at));
  const later = `reunite_asked=${Number(until) + 600}.${browser.Cookie.split('.')[1]}`;
  for (const Cookie of [other.Cookie, later, 'reunite_asked=', `reunite_asked=${until}.x`]) {
    expect((await guess(email, code, { Cookie })).status, Cookie).toBe(403);
  }
  expect((await guess(email, code, browser)).status).toBe(200);
});

test('a client that requests and guesses all day has at most 25 guesses, and the emailed link still works [K5]', async () => {
  const { email } = await ownerOfAddress();
  let evaluated = 0;
  for (let at = 0; at < 40; at += 1) {
    clock.advance(30 * MINUTE);
    const { browser } = await ask(email);
    for (const headers of [browser, browser, {}, {}]) {
      if ((await guess(email, '000000', headers)).status === 403) evaluated += 1;
    }
  }
  expect(evaluated).toBe(25);
  const { mail } = await ask(email, '/recover');
  const body = { type: 'recovery', token_hash: ownLinkIn(mail).tokenHash };
  expect((await callAuth(server, 'POST', '/verify', body)).status).toBe(200);
});

test('a device where the account has signed in has guesses of its own, whatever strangers tried', async () => {
  const { email, password } = await ownerOfAddress();
  const signedIn = await callAuth(server, 'POST', '/token?grant_type=password', { email, password });
  const device = cookiesOf(signedIn);
  clock.advance(MINUTE);
  const { browser, mail } = await ask(email);
  for (const headers of [{}, browser]) {
    for (let at = 1; at <= 20; at += 1) await guess(email, wrong(codeIn(mail), at), headers);
  }
  expect((await guess(email, codeIn(mail), browser)).status).toBe(429);
  clock.advance(MINUTE);
  const next = await ask(email);
  expect((await guess(email, codeIn(next.mail), device)).status).toBe(200);
});

test('after a hundred wrong codes in a row codes are off for all but known devices, until another proof [K5]', async () => {
  const { email, user } = await ownerOfAddress();
  const inARow = () => database.query('select in_a_row from auth.code_failures where user_id = $1', [user.id]);
  for (let day = 0; day < 10; day += 1) {
    clock.advance(DAY);
    const first = await ask(email);
    for (let at = 1; at <= 5; at += 1) await guess(email, wrong(codeIn(first.mail), at));
    for (let at = 1; at <= 5; at += 1) await guess(email, wrong(codeIn(first.mail), at), first.browser);
  }
  expect(await inARow()).toEqual([{ in_a_row: 100 }]);

  clock.advance(DAY);
  const off = await ask(email);
  expect(off.mail, 'no code that would be refused').toMatchObject({ subject: 'Sign in to Reunite' });
  expect(() => codeIn(off.mail)).toThrow('There is no code in');
  clock.advance(MINUTE);
  const { mail: recovery } = await ask(email, '/recover');
  expect(() => codeIn(recovery)).toThrow('There is no code in');
  expect(ownLinkIn(recovery).type).toBe('recovery');
  const link = { type: 'magiclink', token_hash: ownLinkIn(off.mail).tokenHash };
  expect((await callAuth(server, 'POST', '/verify', link)).status).toBe(200);
  expect(await inARow()).toEqual([]);

  clock.advance(MINUTE);
  const on = await ask(email);
  expect((await guess(email, codeIn(on.mail), on.browser)).status).toBe(200);
});

test('guesses in a row at once are counted like those one after another', async () => {
  const { email, user } = await ownerOfAddress();
  clock.advance(MINUTE);
  const { mail } = await ask(email);
  const responses = await Promise.all(Array.from({ length: 40 }, (_, at) => guess(email, wrong(codeIn(mail), at + 1))));
  expect(responses.filter(({ status }) => status === 403)).toHaveLength(10);
  const rows = await database.query('select in_a_row from auth.code_failures where user_id = $1', [user.id]);
  expect(rows).toEqual([{ in_a_row: 5 }]);
});

test('the devices of accounts that ask for one new address have 25 guesses a day together, and the link still works [K5]', async () => {
  const newEmail = anEmail();
  const owners = await Promise.all([ownerOfAddress(), ownerOfAddress()]);
  const devices: { Cookie: string }[] = [];
  for (const { email, password } of owners) {
    for (let at = 0; at < 3; at += 1) {
      const signedIn = await callAuth(server, 'POST', '/token?grant_type=password', { email, password });
      devices.push(cookiesOf(signedIn));
    }
  }
  clock.advance(MINUTE);
  let compared = 0;
  for (const { client } of owners) {
    const { error } = await client.auth.updateUser({ email: newEmail });
    expect(error).toBeNull();
    for (const device of devices) {
      for (let at = 0; at < 10; at += 1) {
        if ((await guess(newEmail, '000000', device, 'email_change')).status === 403) compared += 1;
      }
    }
    clock.advance(10 * MINUTE);
  }
  expect(compared).toBeLessThanOrEqual(25);
  const mail = withCodes(server.delivery.emails).findLast(({ to }) => to === newEmail) ?? { text: '' };
  const body = { type: 'email_change', token_hash: ownLinkIn(mail).tokenHash };
  const { data } = (await owners.at(-1)?.client.auth.getSession()) ?? {};
  const Authorization = `Bearer ${data?.session?.access_token}`;
  expect((await callAuth(server, 'POST', '/verify', body, { Authorization })).status).toBe(200);
});
